// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/vehicle"
)

// Config is a configuration file with its defaults filled in.
type Config struct {
	Vehicle     Vehicle
	Rules       Place
	Bundles     Bundles
	Compile     bool  // let the model write rules for what no rule carries out
	Buses       Names // transport URL by the profile's bus name
	MQTT        MQTT
	Services    Names // "builtin" or "mqtt" by the profile's service name
	Student     Student
	Escalation  Student // of the last round; of kind None: the same one
	Harness     harness.Config
	Critic      bool   // advisory findings are put to the student's model
	Asks        string // who finds them in an utterance: AsksBySentences, AsksByModel
	Store       Store
	API         API
	Log         Log
	Credentials string // folder; empty: $CREDENTIALS_DIRECTORY

	file string
	pos  map[string]vehicle.Pos // of every key that the file has, by its path
}

// Vehicle says which car this is.
type Vehicle struct {
	ID       string // in MQTT topics: carguard/ID/…
	Profile  Place
	Language string // of the driver, a language there are words for
}

// MQTT says how the broker is reached. Without a URL there is none.
type MQTT struct {
	URL                string
	ClientID           string
	Username           string
	PasswordCredential string
	CA, Cert, Key      string // files
}

// The kinds of student.
const (
	None    = "none" // for an escalation student
	Offline = "offline"
	Ollama  = "ollama"
	OpenAI  = "openai"
)

// Who finds the asks in an utterance.
const (
	AsksBySentences = "sentences"
	AsksByModel     = "model"
)

// Student says who proposes. The offline student stands behind every other
// one.
type Student struct {
	Kind   string // Offline, Ollama or OpenAI
	Ollama OllamaStudent
	OpenAI OpenAIStudent
}

// OllamaStudent is a model on an Ollama server.
type OllamaStudent struct {
	URL         string
	Model       string // empty: the one the server has that can call tools
	Timeout     time.Duration
	Constrained bool
}

// OpenAIStudent is a model behind an OpenAI-compatible endpoint.
type OpenAIStudent struct {
	BaseURL       string
	Model         string
	KeyCredential string // empty: no key is sent
	Timeout       time.Duration
	Constrained   bool
}

// Bundles say which newer rules the daemon may take up.
type Bundles struct {
	Root         string        // file of the root metadata that is trusted; empty: nothing is taken up
	Source       string        // URL or folder that is looked at; empty: only when somebody asks
	Interval     time.Duration // between two looks
	Hardware     string        // kind of this unit
	TestDeadline time.Duration
	GoodTurns    int // a new bundle is on probation for so many turns
	GoodTime     time.Duration
}

// Store says where the journal and the ask ledger are kept.
type Store struct {
	Dir            string
	RetentionTurns int    // turns that are kept; older ones are deleted
	MinFreeMB      int    // megabytes of the disk that are left free
	KeyCredential  string // of the encryption; empty: nothing is encrypted
}

// API says where the local API listens.
type API struct {
	Socket string
	Mode   fs.FileMode // of the socket
	Group  string      // that owns the socket; empty: the daemon's own
	// TCP is a loopback address with a port to listen on too; empty: none. Who
	// comes that way must have the token.
	TCP             string
	TokenCredential string
}

// Log says what is logged to standard error.
type Log struct {
	Level  string // debug, info, warn, error
	Format string // json, console
}

// Default is the configuration of an empty file. It lacks what every car has
// its own of: vehicle.id, vehicle.profile and rules.
func Default() *Config {
	return &Config{
		Vehicle:    Vehicle{Language: "en"},
		Student:    modelDefaults(Offline),
		Escalation: modelDefaults(None),
		Critic:     true,
		Asks:       AsksBySentences,
		Bundles:    Bundles{Interval: time.Hour, TestDeadline: 30 * time.Second, GoodTurns: 10, GoodTime: 10 * time.Minute},
		Harness: harness.Config{Rounds: 2, Steps: 16, ConsentTTL: 2 * time.Minute, Deadline: time.Minute, Vote: 1,
			CriticDeadline: 10 * time.Second, AsksDeadline: 10 * time.Second},
		Store: Store{Dir: "/var/lib/carguardd", RetentionTurns: 10000, MinFreeMB: store.DefaultMinFree >> 20},
		API:   API{Socket: "/run/carguardd/control.sock", Mode: 0o660},
		Log:   Log{Level: "info", Format: "json"},
	}
}

// modelDefaults are the servers as they usually are, of whom none is chosen.
func modelDefaults(kind string) Student {
	return Student{Kind: kind,
		Ollama: OllamaStudent{URL: "http://127.0.0.1:11434", Timeout: time.Minute},
		OpenAI: OpenAIStudent{BaseURL: "https://api.openai.com/v1", Timeout: time.Minute}}
}

// Load reads and checks a configuration file. Paths in it are relative to its
// folder. The error is [vehicle.Problems] with everything that is wrong.
func Load(file string) (*Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, vehicle.Problems{{Pos: vehicle.Pos{File: file}, Text: fmt.Sprintf("cannot be read: %v", err), Hint: "--config names the file"}}
	}
	return Parse(file, data)
}

// Parse reads and checks a configuration that was read from file.
func Parse(file string, data []byte) (*Config, error) {
	root, problems := vehicle.ParseYAML(file, data)
	if root == nil {
		return nil, problems.Err()
	}
	c := Default()
	c.file, c.pos = file, map[string]vehicle.Pos{}
	r := &reader{problems: problems, dir: filepath.Dir(file), pos: c.pos}
	c.table().read(r, "", root)
	if c.MQTT.URL != "" && c.MQTT.ClientID == "" {
		c.MQTT.ClientID = "carguardd"
	}
	if root.Kind == vehicle.Object {
		c.check(r)
	}
	if err := r.sorted().Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// File is the file that the configuration was read from.
func (c *Config) File() string { return c.file }

// Keys lists the path of every key that a file may have, in the order of the
// table: vehicle, vehicle.id, …; what a name chosen by the user stands for is
// NAME.
func Keys() []string { return Default().table().keys("") }

// MarshalJSON writes the configuration in effect. The text is a configuration
// file itself, since JSON is YAML.
func (c *Config) MarshalJSON() ([]byte, error) { return c.table().value().AppendJSON(nil), nil }

// Credential is the path of a named credential: a file in the configured
// folder, else in the one that the service manager has set up.
func (c *Config) Credential(name string, getenv func(string) string) (string, error) {
	dir := c.Credentials
	if dir == "" {
		dir = getenv("CREDENTIALS_DIRECTORY")
	}
	if dir == "" {
		return "", fmt.Errorf("credential %s: there is no credentials folder: set credentials in %s, or LoadCredential= in the unit", name, c.file)
	}
	return filepath.Join(dir, name), nil
}
