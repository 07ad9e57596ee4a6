/* SPDX-License-Identifier: Apache-2.0 */

/* The few names of miniaudio that the server's multimodal helper uses. The
 * go command leaves folders called vendor out of modules, and with them the
 * real header; a test server needs no audio, so every decoder fails here. */

#pragma once

#include <stddef.h>
#include <stdint.h>

#define MA_SUCCESS 0
#define MA_NOT_IMPLEMENTED (-29)

typedef int ma_result;
typedef uint64_t ma_uint64;
enum ma_format { ma_format_unknown, ma_format_f32 };
typedef struct { int unused; } ma_decoder_config;
typedef struct { int unused; } ma_decoder;

static inline ma_decoder_config ma_decoder_config_init(enum ma_format format, uint32_t channels, uint32_t rate) {
  (void)format, (void)channels, (void)rate;
  return ma_decoder_config{0};
}

static inline ma_result ma_decoder_init_memory(const void *, size_t, const ma_decoder_config *, ma_decoder *) {
  return MA_NOT_IMPLEMENTED;
}

static inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *, ma_uint64 *) { return MA_NOT_IMPLEMENTED; }

static inline ma_result ma_decoder_read_pcm_frames(ma_decoder *, void *, ma_uint64, ma_uint64 *) {
  return MA_NOT_IMPLEMENTED;
}

static inline void ma_decoder_uninit(ma_decoder *) {}
