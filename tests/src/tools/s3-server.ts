import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3rver } from './s3rver.js'
import { refusal } from './signature-v4.js'

const BUCKET = 'bearing-files'
/** End of the names of the files in which s3rver keeps objects. */
const FILE = '._S3rver_object'
/** The only one that s3rver knows. */
export const KEY = { id: 'S3RVER', secret: 'S3RVER' }

/** Handles a request before S3 sees it. True: S3 does not see it. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>

/** A running server of S3. */
export interface S3Server extends AsyncDisposable {
  readonly url: string
  /** Environment with which management keeps files there. */
  readonly environment: Readonly<Record<string, string>>
  /** Method and path of every request that was let in. */
  readonly requests: string[]
  /** Added to its clock, in milliseconds. */
  aheadMs: number
  fault: Fault | undefined
  /** The names of the objects that it has. */
  objects(): Promise<string[]>
  /** The objects whose names begin so, in the order of their names. */
  contents(prefix: string): Promise<{ readonly name: string; readonly bytes: Buffer }[]>
}

/**
 * Starts a server of S3: s3rver, with the files that it has in a temporary folder. Signatures and
 * conditions of copies are checked in front of it, as S3 does it: it ignores the conditions.
 */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'bearing-s3-'))
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] })
  await s3.configureBuckets()
  const handle = s3.callback()
  const etagOf = async (path: string) => {
    const found = await s3.store.getObject(BUCKET, path.replace(`${BUCKET}/`, ''), {})
    found?.content.destroy()
    return found?.metadata['etag']
  }
  const front = createServer((request, response) => {
    void (async () => {
      if (await running.fault?.(request, response)) return
      const denied = refusal(request, KEY, Date.now() + running.aheadMs)
      if (denied !== undefined) {
        refuse(request, response, 403, denied)
        return
      }
      running.requests.push(`${request.method ?? ''} ${(request.url ?? '').split('?')[0] ?? ''}`)
      const { 'x-amz-copy-source': source, 'x-amz-copy-source-if-match': match } = request.headers
      if (match !== undefined && (await etagOf(decodeURI(String(source)))) !== match) {
        refuse(request, response, 412, 'PreconditionFailed')
        return
      }
      handle(request, response)
    })()
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const url = `http://127.0.0.1:${String((front.address() as AddressInfo).port)}`
  const running: S3Server = {
    url,
    environment: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: url,
      S3_ACCESS_KEY: `${KEY.id}:${KEY.secret}`,
    },
    requests: [],
    aheadMs: 0,
    fault: undefined,
    objects: async () =>
      (await readdir(join(directory, BUCKET, 'objects')).catch(() => []))
        .filter((name) => name.endsWith(FILE))
        .map((name) => name.slice(0, -FILE.length)),
    contents: (prefix) => contentsOf(join(directory, BUCKET), prefix),
    async [Symbol.asyncDispose]() {
      front.closeAllConnections()
      front.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return running
}

/** Reads the objects of a bucket whose names begin so. */
async function contentsOf(folder: string, prefix: string) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(FILE))
  const names = files.map((file) => file.slice(0, -FILE.length)).filter((name) => name.startsWith(prefix))
  return Promise.all(
    names.sort().map(async (name) => ({ name, bytes: await readFile(join(folder, `${name}${FILE}`)) })),
  )
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume()
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
