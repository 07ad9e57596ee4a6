// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/openai"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// broker connects as the daemon would, under a name of its own, so that a
// running daemon keeps its connection.
func (d *doctor) broker(c *config.Config) {
	if c.MQTT.URL == "" {
		d.add("broker", OK, "", "none is configured")
		return
	}
	fail := func(err error) {
		d.add("broker", Warn, "the daemon goes on trying; topics and services on it are gone meanwhile", "%s: %v", c.MQTT.URL, err)
	}
	client, err := d.client(c)
	if err != nil {
		fail(err)
		return
	}
	ctx, end := d.peer()
	defer end()
	ctx, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- client.Run(ctx) }()
	for !client.Connected() && client.Link().Err == nil && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
	connected, last := client.Connected(), client.Link().Err
	stop()
	<-done
	switch {
	case connected:
		d.add("broker", OK, "", "%s answers", c.MQTT.URL)
	case last != nil:
		fail(last)
	default:
		fail(fmt.Errorf("no answer within %v", d.env.Timeout))
	}
}

func (d *doctor) client(c *config.Config) (*mqtt.Client, error) {
	topics, err := mqtt.NewTopics(c.Vehicle.ID)
	if err != nil {
		return nil, err
	}
	m := mqtt.Config{URL: c.MQTT.URL, ClientID: c.MQTT.ClientID + "-doctor", Topics: topics, Username: c.MQTT.Username}
	if c.MQTT.PasswordCredential != "" {
		file, err := c.Credential(c.MQTT.PasswordCredential, d.env.Getenv)
		if err != nil {
			return nil, err
		}
		if m.Password, err = mqtt.ReadPassword(file); err != nil {
			return nil, err
		}
	}
	if c.MQTT.CA != "" || c.MQTT.Cert != "" {
		if m.TLS, err = (mqtt.TLSFiles{CA: c.MQTT.CA, Cert: c.MQTT.Cert, Key: c.MQTT.Key}).Load(); err != nil {
			return nil, err
		}
	}
	return mqtt.New(m, zerolog.Nop())
}

// student asks whether the model would answer. The offline student always
// does, so that nothing here is worse than a warning.
func (d *doctor) student(c *config.Config) {
	ctx, end := d.peer()
	defer end()
	detail, err := "offline", error(nil)
	switch s := c.Student; {
	case c.Vehicle.Profile == "": // no configuration: what the bench would find
		var m ollama.Model
		if m, err = ollama.Find(ctx, ollama.Options{}); err == nil {
			detail = "ollama has " + m.Name + ", which can call tools"
		}
	case s.Kind == config.Ollama:
		detail, err = askOllama(ctx, s.Ollama)
	case s.Kind == config.OpenAI:
		detail, err = d.askOpenAI(ctx, c, s.OpenAI)
	}
	if err != nil {
		d.add("student", Warn, "the offline grammar answers meanwhile", "%v", err)
		return
	}
	d.add("student", OK, "", "%s", detail)
}

// escalation is the student of the last round, if there is one of its own.
func (d *doctor) escalation(c *config.Config) {
	ctx, end := d.peer()
	defer end()
	var detail string
	var err error
	switch s := c.Escalation; s.Kind {
	case config.Ollama:
		detail, err = askOllama(ctx, s.Ollama)
	case config.OpenAI:
		detail, err = d.askOpenAI(ctx, c, s.OpenAI)
	default:
		return
	}
	if err != nil {
		d.add("escalation", Warn, "what the student cannot mend is withheld meanwhile", "%v", err)
		return
	}
	d.add("escalation", OK, "", "%s", detail)
}

func askOllama(ctx context.Context, s config.OllamaStudent) (string, error) {
	if s.Model == "" {
		m, err := ollama.Find(ctx, ollama.Options{URL: s.URL})
		return "ollama has " + m.Name + ", which can call tools", err
	}
	st, err := ollama.New(ollama.Options{URL: s.URL, Model: s.Model, Constrained: s.Constrained})
	if err != nil {
		return "", err
	}
	return st.Name() + " answers", st.Health(ctx)
}

func (d *doctor) askOpenAI(ctx context.Context, c *config.Config, s config.OpenAIStudent) (string, error) {
	o := openai.Options{URL: s.BaseURL, Model: s.Model, Constrained: s.Constrained}
	if s.KeyCredential != "" {
		file, err := c.Credential(s.KeyCredential, d.env.Getenv)
		if err != nil {
			return "", err
		}
		if o.Key, err = openai.ReadKey(file); err != nil {
			return "", err
		}
	}
	st, err := openai.New(o)
	if err != nil {
		return "", err
	}
	return st.Name() + " answers", st.Health(ctx)
}
