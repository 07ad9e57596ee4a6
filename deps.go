// SPDX-License-Identifier: Apache-2.0

//go:build deps

package carguardd

import (
	_ "github.com/coreos/go-systemd/v22/activation"
	_ "github.com/coreos/go-systemd/v22/daemon"
	_ "github.com/dgraph-io/badger/v4"
	_ "github.com/eclipse/paho.mqtt.golang"
	_ "github.com/goccy/go-yaml"
	_ "github.com/goccy/go-yaml/ast"
	_ "github.com/goccy/go-yaml/parser"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/mochi-mqtt/server/v2"
	_ "github.com/mochi-mqtt/server/v2/hooks/auth"
	_ "github.com/mochi-mqtt/server/v2/listeners"
	_ "github.com/ollama/ollama/api"
	_ "github.com/openai/openai-go/v3"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/rs/zerolog"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "go.einride.tech/can"
	_ "go.einride.tech/can/pkg/candevice"
	_ "go.einride.tech/can/pkg/dbc"
	_ "go.einride.tech/can/pkg/descriptor"
	_ "go.einride.tech/can/pkg/socketcan"
	_ "go.etcd.io/bbolt"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/text/encoding/charmap"
	_ "pgregory.net/rapid"
)
