// SPDX-License-Identifier: Apache-2.0

// Package config reads the configuration file of the daemon.
//
// The file is one YAML document, described with a complete example in
// docs/config.md:
//
//	c, err := config.Load("/etc/carguardd/carguardd.yaml")
//
// It is read strictly: an unknown key is an error with the key that was
// probably meant, as is a value of another kind or out of its range. All that
// is wrong is reported at once, each with file:line:col, and no configuration
// is returned then. What the file leaves out has the value of [Default].
//
// Every key stands once, in the table of table.go; reading, writing and the
// list of keys that the documentation is checked against come from it.
//
// [Config.Check] compares the configuration with the vehicle's profile: a bus
// that the profile does not know, a bus of the profile that no URL is given
// for.
//
// # What it does not do
//
// It opens nothing and connects to nothing. Secrets are never in the file: it
// names credentials, which are files of a folder that the service manager
// provides ([Config.Credential]). There are no environment variables in
// values, no includes and no second place where a setting could come from.
package config
