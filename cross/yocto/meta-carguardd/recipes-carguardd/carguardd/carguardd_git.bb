SUMMARY = "Voice assistant for head units that a deterministic harness keeps in bounds"
DESCRIPTION = "A language model proposes what to say and which tools to call; a harness decides what reaches the car over CAN and MQTT."
HOMEPAGE = "https://github.com/carguardd/carguardd"
LICENSE = "Apache-2.0"
LIC_FILES_CHKSUM = "file://src/${GO_IMPORT}/LICENSE;md5=3b83ef96387f14655fc854ddc3c6bd57"

GO_IMPORT = "github.com/carguardd/carguardd"
GO_INSTALL = "${GO_IMPORT}/cmd/carguardd"

# Set both in your distribution: the commit that you have tested.
SRCREV ?= "${AUTOREV}"
PV = "0.0+git"
SRC_URI = "git://${GO_IMPORT};protocol=https;branch=main;destsuffix=${GO_SRCURI_DESTSUFFIX} \
           file://carguardd.yaml"
# Older releases of Yocto have no such variable.
GO_SRCURI_DESTSUFFIX ?= "${BP}/src/${GO_IMPORT}"

inherit go-mod systemd useradd

# Nothing is fetched after do_fetch. Either the source carries its modules (run
# `go mod vendor` in a release and set this) or do_compile is allowed the
# network, which is the default of go-mod's own recipes.
CARGUARDD_VENDORED ?= "0"
GOBUILDFLAGS:append = "${@' -mod=vendor' if d.getVar('CARGUARDD_VENDORED') == '1' else ''}"
do_compile[network] = "${@'0' if d.getVar('CARGUARDD_VENDORED') == '1' else '1'}"
CGO_ENABLED = "0"
GO_LINKSHARED = ""
# Some releases of Yocto and some distributions build Go programs position
# independent. Go cannot do that without cgo on 32-bit ARM, and elsewhere such a
# program cannot give the pages of its own file back while nobody speaks.
GOBUILDFLAGS:remove = "-buildmode=pie"
GO_EXTRA_LDFLAGS = "-s -w -X main.version=${PV}"
export GOARM = "${@'7' if d.getVar('TARGET_ARCH') == 'arm' else ''}"

USERADD_PACKAGES = "${PN}"
USERADD_PARAM:${PN} = "--system --no-create-home --home-dir /var/lib/carguardd --shell /sbin/nologin --user-group carguardd"

SYSTEMD_SERVICE:${PN} = "carguardd.service carguardd.socket"
# The configuration must say which car this is first.
SYSTEMD_AUTO_ENABLE = "disable"

UNITS = "${S}/src/${GO_IMPORT}/systemd/units"

do_install:append() {
    install -d ${D}${systemd_system_unitdir} ${D}${sysconfdir}/carguardd ${D}${nonarch_libdir}/tmpfiles.d ${D}${nonarch_libdir}/systemd/catalog
    for u in carguardd.service carguardd.socket carguardd-tcp.socket carguardd-failsafe.service; do
        install -m 0644 ${UNITS}/$u ${D}${systemd_system_unitdir}/
    done
    install -m 0644 ${UNITS}/tmpfiles.conf ${D}${nonarch_libdir}/tmpfiles.d/carguardd.conf
    install -m 0644 ${UNITS}/carguardd.catalog ${D}${nonarch_libdir}/systemd/catalog/
    install -m 0644 ${WORKDIR}/carguardd.yaml ${D}${sysconfdir}/carguardd/
    install -d -m 0700 ${D}${sysconfdir}/carguardd/credentials
    rm -rf ${D}${libdir}/go
}

CONFFILES:${PN} = "${sysconfdir}/carguardd/carguardd.yaml"
FILES:${PN} += "${systemd_system_unitdir} ${nonarch_libdir}/tmpfiles.d ${nonarch_libdir}/systemd/catalog"
RRECOMMENDS:${PN} = "kernel-module-can-raw kernel-module-vcan kernel-module-slcan"
RSUGGESTS:${PN} = "mosquitto can-utils espeak"
