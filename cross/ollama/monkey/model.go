// SPDX-License-Identifier: Apache-2.0

package monkey

import (
	_ "embed" // the Modelfile
	"io"
	"math"
	"math/rand/v2"
	"strconv"
)

// Modelfile describes the model to `ollama create`. It expects the model in
// monkey.gguf beside it. Its template has tools, without which the server
// does not offer any.
//
//go:embed Modelfile
var Modelfile []byte

// Options of the model.
type Options struct {
	Seed uint64 // of the weights
	// Calls are texts that the model likes to say as a whole; see [CallText].
	Calls []string
	// Words are what the model will read often. Those are a piece or two each;
	// any other text is a piece per letter, and slow to read.
	Words   []string
	Context int // tokens; 0: 32768
}

// The size of the model. One layer and one head are enough for nonsense, and
// read a prompt of ten thousand pieces several times faster than more would.
const (
	width   = 64 // of an embedding
	inner   = 2 * width
	layers  = 1
	heads   = 1
	anchor  = 8.0 // the constant first dimension of every embedding
	epsilon = 1e-5
)

// Write writes the model: half a megabyte, and half a kilobyte more for each
// piece of a word.
func Write(w io.Writer, o Options) error {
	if o.Context == 0 {
		o.Context = 32768
	}
	pieces := vocabulary(o.Calls, o.Words)
	_, err := w.Write(encode(metadata(o, pieces), weights(o.Seed, pieces)))
	return err
}

func metadata(o Options, pieces []piece) []entry {
	n := len(pieces)
	texts, kinds, scores := make([]string, n), make([]int32, n), make([]float32, n)
	for i, p := range pieces {
		texts[i], kinds[i], scores[i] = p.text, p.kind, float32(-i)
	}
	return []entry{
		{"general.architecture", "llama"},
		{"general.name", "monkey"},
		{"general.file_type", uint32(0)},
		{"llama.context_length", uint32(o.Context)},
		{"llama.embedding_length", uint32(width)},
		{"llama.block_count", uint32(layers)},
		{"llama.feed_forward_length", uint32(inner)},
		{"llama.attention.head_count", uint32(heads)},
		{"llama.attention.head_count_kv", uint32(heads)},
		{"llama.attention.layer_norm_rms_epsilon", float32(epsilon)},
		{"llama.rope.dimension_count", uint32(width / heads)},
		{"llama.rope.freq_base", float32(10000)},
		{"llama.vocab_size", uint32(n)},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.pre", "default"},
		{"tokenizer.ggml.tokens", texts},
		{"tokenizer.ggml.scores", scores},
		{"tokenizer.ggml.token_type", kinds},
		{"tokenizer.ggml.unknown_token_id", uint32(unknownPiece)},
		{"tokenizer.ggml.bos_token_id", uint32(beginPiece)},
		{"tokenizer.ggml.eos_token_id", uint32(endPiece)},
		{"tokenizer.ggml.add_bos_token", true},
		{"tokenizer.ggml.add_eos_token", false},
		{"tokenizer.ggml.add_space_prefix", false},
	}
}

// weights returns random weights. An embedding's length is about
// sqrt(anchor² + width - 1); after the norm its first dimension is anchor /
// rms, which turns the first column of the output into the pieces' bias.
func weights(seed uint64, pieces []piece) []tensor {
	r := rand.New(rand.NewPCG(seed, 0))
	random := func(n int, deviation float64) []float32 {
		f := make([]float32, n)
		for i := range f {
			f[i] = float32(r.NormFloat64() * deviation)
		}
		return f
	}
	ones := func() []float32 {
		f := make([]float32, width)
		for i := range f {
			f[i] = 1
		}
		return f
	}
	n := len(pieces)
	rms := math.Sqrt((anchor*anchor + width - 1) / width)
	root := math.Sqrt(width)
	embedding, output := random(n*width, 1), random(n*width, rms/root)
	for i, p := range pieces {
		embedding[i*width] = anchor
		output[i*width] = float32(p.bias * rms / anchor)
	}
	l := []tensor{{"token_embd.weight", []int{width, n}, embedding}}
	for i := range layers {
		add := func(name string, in, out int, data []float32) {
			dims := []int{in, out}
			if out == 0 {
				dims = dims[:1]
			}
			l = append(l, tensor{"blk." + strconv.Itoa(i) + "." + name + ".weight", dims, data})
		}
		square, wide := width*width, width*inner
		add("attn_norm", width, 0, ones())
		add("attn_q", width, width, random(square, 1/root))
		add("attn_k", width, width, random(square, 1/root))
		add("attn_v", width, width, random(square, 0.3/root))
		add("attn_output", width, width, random(square, 0.3/root))
		add("ffn_norm", width, 0, ones())
		add("ffn_gate", width, inner, random(wide, 0.3/root))
		add("ffn_up", width, inner, random(wide, 0.3/root))
		add("ffn_down", inner, width, random(wide, 0.3/root))
	}
	return append(l, tensor{"output_norm.weight", []int{width}, ones()}, tensor{"output.weight", []int{width, n}, output})
}
