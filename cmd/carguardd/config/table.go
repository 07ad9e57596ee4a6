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
		{"bundles", group{
			{"root", path(&c.Bundles.Root)},
			{"source", urlOrPath(&c.Bundles.Source)},
			{"interval", span(&c.Bundles.Interval)},
			{"hardware", text(&c.Bundles.Hardware)},
			{"test_deadline", span(&c.Bundles.TestDeadline)},
			{"good_turns", count(&c.Bundles.GoodTurns, 1, 10_000)},
			{"good_time", span(&c.Bundles.GoodTime)},
		}},
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
		{"student", models(&c.Student, Offline)},
		{"escalation", models(&c.Escalation, None)},
		{"harness", group{
			{"rounds", count(&c.Harness.Rounds, 1, 10)},
			{"steps", count(&c.Harness.Steps, 1, 64)},
			{"consent_ttl", span(&c.Harness.ConsentTTL)},
			{"deadline", span(&c.Harness.Deadline)},
			{"valve", negated(&c.Harness.NoValve)},
			{"vote", count(&c.Harness.Vote, 1, 9)},
			{"critic", truth(&c.Critic)},
			{"critic_deadline", span(&c.Harness.CriticDeadline)},
			{"advisories_off", someOf{&c.Harness.NoAdvice, advisories()}},
			{"asks", word(&c.Asks, AsksBySentences, AsksByModel)},
			{"asks_deadline", span(&c.Harness.AsksDeadline)},
			{"repairs_off", flags{
				{"owed", &c.Harness.Off.Owed}, {"reads", &c.Harness.Off.Reads}, {"coercion", &c.Harness.Off.Coercion},
				{"preference", &c.Harness.Off.Preference}, {"filter", &c.Harness.Off.Filter}, {"excess", &c.Harness.Off.Excess},
				{"order", &c.Harness.Off.Order}, {"telling", &c.Harness.Off.Telling}, {"prefetch", &c.Harness.Off.Prefetch},
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

// models is a student, or the word that stands for none of a server.
func models(s *Student, alone string) kinds {
	return oneKind(&s.Kind, alone, group{
		{Ollama, group{
			{"url", text(&s.Ollama.URL)},
			{"model", text(&s.Ollama.Model)},
			{"timeout", span(&s.Ollama.Timeout)},
			{"constrained", truth(&s.Ollama.Constrained)},
		}},
		{OpenAI, group{
			{"base_url", text(&s.OpenAI.BaseURL)},
			{"model", text(&s.OpenAI.Model)},
			{"key_credential", credential(&s.OpenAI.KeyCredential)},
			{"timeout", span(&s.OpenAI.Timeout)},
			{"constrained", truth(&s.OpenAI.Constrained)},
		}},
	})
}
