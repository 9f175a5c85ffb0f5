import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'

const MIB = 1024 * 1024
const FILE_BYTES = 32 * MIB
const FILES = 8
const CONCURRENCY = 8

interface Target {
  /** Port of the bare pipeline. */
  readonly baseline: number
  readonly gateway: string
  readonly projectKey: string
}

/** One way for a file to be stored. */
type Store = (file: Buffer) => Promise<void>

/**
 * Stores files of 32 MiB, eight at a time, in turns with a bare pipeline. Each file differs from the others in its first bytes, or it
 * would be stored once.
 *
 * @returns of each round the bytes per second, as a share of what the bare pipeline stores
 */
export async function compareUploads(target: Target, rounds: number): Promise<number[]> {
  const bare: Store = async (file) => {
    await take(await put(`http://127.0.0.1:${String(target.baseline)}/object`, file))
  }
  const through = throughGateway(target)
  for (const store of [bare, through]) await storeAll(store, 2)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const bareMs = await storeAll(bare, FILES)
    ratios.push(bareMs / (await storeAll(through, FILES)))
  }
  return ratios
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
