// SPDX-License-Identifier: Apache-2.0

package studenttest

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/carguardd/carguardd/vehicle"
)

// argumentText is what stands for the arguments of a call.
func argumentText(c *vehicle.Call) string {
	if c.Raw != "" {
		return c.Raw
	}
	if c.Args.Kind() == vehicle.Unknown {
		return "{}"
	}
	return string(c.Args.AppendJSON(nil))
}

// writeOllama writes the reply as JSON lines: the text in two pieces, each call
// in a line of its own, the end.
func writeOllama(w io.Writer, r *Reply) string {
	emit := func(message string, rest string) {
		_, _ = io.WriteString(w, `{"model":"fake","created_at":"2026-01-01T00:00:00Z","message":`+message+rest+"}\n")
	}
	text := func(s string) string { return `{"role":"assistant","content":` + quote(s) + `}` }
	if half := len(r.Text) / 2; r.Text != "" {
		for half > 0 && r.Text[half]&0xC0 == 0x80 {
			half--
		}
		emit(text(r.Text[:half]), `,"done":false`)
		emit(text(r.Text[half:]), `,"done":false`)
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		args := argumentText(c)
		if r.Quoted {
			args = quote(args)
		}
		id := ""
		if c.ID != "" {
			id = `"id":` + quote(c.ID) + ","
		}
		emit(`{"role":"assistant","content":"","tool_calls":[{`+id+`"function":{"index":`+strconv.Itoa(i)+
			`,"name":`+quote(c.Tool)+`,"arguments":`+args+`}}]}`, `,"done":false`)
	}
	if !r.NoEnd {
		emit(text(""), `,"done":true,"done_reason":`+quote(reason(r, "stop"))+
			`,"prompt_eval_count":`+strconv.Itoa(r.Tokens[0])+`,"eval_count":`+strconv.Itoa(r.Tokens[1]))
	}
	return "application/x-ndjson"
}

// writeOpenAI writes the reply as one chat completion.
func writeOpenAI(w io.Writer, r *Reply) string {
	message := map[string]any{"role": "assistant", "content": nil}
	if r.Text != "" {
		message["content"] = r.Text
	}
	end := "stop"
	var calls []any
	for i := range r.Calls {
		c := &r.Calls[i]
		end = "tool_calls"
		calls = append(calls, map[string]any{"id": c.ID, "type": "function",
			"function": map[string]any{"name": c.Tool, "arguments": argumentText(c)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	choice := map[string]any{"index": 0, "message": message}
	if !r.NoEnd {
		choice["finish_reason"] = reason(r, end)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "fake", "choices": []any{choice},
		"usage": map[string]int{"prompt_tokens": r.Tokens[0], "completion_tokens": r.Tokens[1], "total_tokens": r.Tokens[0] + r.Tokens[1]},
	})
	return "application/json"
}

func reason(r *Reply, usual string) string {
	if r.Reason != "" {
		return r.Reason
	}
	return usual
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
