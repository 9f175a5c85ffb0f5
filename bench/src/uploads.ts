import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Stack } from '@bearing/testing/stack'
import { residentBytes, watchMemory } from './memory.js'

const MIB = 1024 * 1024
const FILE_BYTES = 32 * MIB
const FILES = 32
const CONCURRENCY = 8

interface Target {
  /** Where the bare pipeline listens. */
  readonly baseline: number
  readonly gateway: string
  readonly projectKey: string
}

/** One way for a file to be stored. */
type Store = (file: Buffer) => Promise<void>

/**
 * Bytes stored per second, and how much memory that takes at most: 1 GiB in files of 32 MiB, eight at a time. Of every piece of it
 * another file is made by its first bytes, or it would be stored once.
 */
export async function measureUploads(stack: Stack, target: Target): Promise<void> {
  process.stdout.write(
    `\nUploads: ${String(FILES)} files of ${String(FILE_BYTES / MIB)} MiB, ${String(CONCURRENCY)} at a time\n`,
  )
  const bare: Store = async (file) => {
    await take(await put(`http://127.0.0.1:${String(target.baseline)}/object`, file))
  }
  const watched = ['gateway-1', 'management', 'nats'] as const
  const idle = await Promise.all(watched.map((name) => residentBytes(stack.part(name).pid)))
  await storeAll(bare, 2)
  const bareMs = await storeAll(bare, FILES)
  await storeAll(throughGateway(target), 2)
  const memory = watchMemory(watched.map((name) => stack.part(name).pid))
  const ms = await storeAll(throughGateway(target), FILES)
  const peaks = await memory.stop()
  report('bare Fastify → JetStream', bareMs)
  report('gateway → management → JetStream', ms, bareMs / ms)
  for (const [index, name] of watched.entries()) {
    const mib = (bytes = 0) => (bytes / MIB).toFixed(0)
    process.stdout.write(
      `  ${name.padEnd(12)} memory ${mib(idle[index]).padStart(5)} MiB idle, at most ${mib(peaks[index])} MiB\n`,
    )
  }
}

function report(name: string, ms: number, ratio?: number): void {
  const perSecond = (FILES * FILE_BYTES) / MIB / (ms / 1_000)
  process.stdout.write(
    `  ${name.padEnd(44)} ${perSecond.toFixed(0).padStart(5)} MiB/s${ratio === undefined ? '' : `  ratio ${ratio.toFixed(2)}`}\n`,
  )
}

/** @returns how long it took, in milliseconds */
async function storeAll(store: Store, files: number): Promise<number> {
  const content = randomBytes(FILE_BYTES)
  let left = files
  const began = performance.now()
  const work = async () => {
    while (left-- > 0) await store(Buffer.concat([randomBytes(16), content.subarray(16)]))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return performance.now() - began
}

function throughGateway({ gateway, projectKey }: Target): Store {
  const ask = async (path: string, body: unknown) => {
    const response = await fetch(gateway + path, {
      method: 'POST',
      headers: { 'service-project-key': projectKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`)
    return ((await response.json()) as { data: { upload_url: string; token: string } }).data
  }
  return async (file) => {
    const { upload_url, token } = await ask('/api/v0/upload', { kind: 'bugreport', size: file.length })
    await take(await put(upload_url, file))
    await ask('/api/v0/upload/bugreport', { file: { token } })
  }
}

async function put(url: string, file: Buffer): Promise<IncomingMessage> {
  const sending = request(url, {
    method: 'PUT',
    headers: { 'content-length': file.length, 'content-type': 'application/octet-stream' },
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]> // as node:http declares it
  for (let at = 0; at < file.length; at += MIB)
    if (!sending.write(file.subarray(at, at + MIB))) await once(sending, 'drain')
  sending.end()
  const [response] = await answered
  return response
}

async function take(response: IncomingMessage): Promise<void> {
  const { statusCode = 0 } = response
  const body = await json(response)
  if (statusCode !== 200) throw new Error(`not stored: ${String(statusCode)} ${JSON.stringify(body)}`)
}
