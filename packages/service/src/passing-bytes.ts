import { collectYoung } from './young-generation.js'

/** After how many bytes the buffers that they were in are collected. */
const COLLECTED_BYTES = 1024 * 1024

let passed = 0

/**
 * To be told of the bytes of files that a process hands on, as they pass: the buffers that they were in are collected after each
 * MiB. Node collects young garbage when there are many new objects, whatever hangs on them: each part of a file is some objects,
 * and up to five buffers of its length outside of Node's heap, so 60 to 90 MiB of buffers that nobody uses would be there before
 * it looked (decision 52).
 *
 * @param length in bytes, not of the whole file but of what has passed since the last call
 */
export function bytesPassed(length: number): void {
  passed += length
  if (passed < COLLECTED_BYTES) return
  passed = 0
  collectYoung()
}
