// SPDX-License-Identifier: Apache-2.0

package config

// table is every key of the file, bound to where its value is kept.
func (c *Config) table() group {
	return group{
		{"vehicle", group{
			{"id", text(&c.Vehicle.ID)},
			{"profile", place(&c.Vehicle.Profile, profiles)},
			{"language", language(&c.Vehicle.Language)},
		}},
		{"rules", place(&c.Rules, bundles)},
		{"compile", truth(&c.Compile)},
		{"buses", named("NAME", &c.Buses)},
		{"mqtt", group{
			{"url", text(&c.MQTT.URL)},
			{"client_id", text(&c.MQTT.ClientID)},
			{"username", text(&c.MQTT.Username)},
			{"password_credential", credential(&c.MQTT.PasswordCredential)},
			{"ca", path(&c.MQTT.CA)},
			{"cert", path(&c.MQTT.Cert)},
			{"key", path(&c.MQTT.Key)},
		}},
		{"services", named("NAME", &c.Services)},
		{"student", oneKind(&c.Student.Kind, Offline, group{
			{Ollama, group{
				{"url", text(&c.Student.Ollama.URL)},
				{"model", text(&c.Student.Ollama.Model)},
				{"timeout", span(&c.Student.Ollama.Timeout)},
				{"constrained", truth(&c.Student.Ollama.Constrained)},
			}},
			{OpenAI, group{
				{"base_url", text(&c.Student.OpenAI.BaseURL)},
				{"model", text(&c.Student.OpenAI.Model)},
				{"key_credential", credential(&c.Student.OpenAI.KeyCredential)},
				{"timeout", span(&c.Student.OpenAI.Timeout)},
				{"constrained", truth(&c.Student.OpenAI.Constrained)},
			}},
		})},
		{"harness", group{
			{"rounds", count(&c.Harness.Rounds, 1, 10)},
			{"steps", count(&c.Harness.Steps, 1, 64)},
			{"consent_ttl", span(&c.Harness.ConsentTTL)},
			{"deadline", span(&c.Harness.Deadline)},
			{"repairs_off", flags{
				{"owed", &c.Harness.Off.Owed}, {"reads", &c.Harness.Off.Reads}, {"coercion", &c.Harness.Off.Coercion},
				{"excess", &c.Harness.Off.Excess}, {"prefetch", &c.Harness.Off.Prefetch},
			}},
		}},
		{"store", group{
			{"dir", path(&c.Store.Dir)},
			{"retention_turns", count(&c.Store.RetentionTurns, 1, 10_000_000)},
			{"min_free_mb", count(&c.Store.MinFreeMB, 16, 1_000_000)},
			{"key_credential", credential(&c.Store.KeyCredential)},
		}},
		{"api", group{
			{"socket", path(&c.API.Socket)},
			{"mode", mode(&c.API.Mode)},
			{"group", text(&c.API.Group)},
			{"tcp", loopback(&c.API.TCP)},
			{"token_credential", credential(&c.API.TokenCredential)},
		}},
		{"log", group{
			{"level", word(&c.Log.Level, "debug", "info", "warn", "error")},
			{"format", word(&c.Log.Format, "json", "console")},
		}},
		{"credentials", path(&c.Credentials)},
	}
}
