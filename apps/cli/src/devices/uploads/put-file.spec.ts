import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProblemError, UnexpectedReplyError, UnreachableError } from '@bearing/client/errors'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { CREATED_AT, id } from '../../testing/fake-gateway.js'
import { UsageError } from '../../ground/usage-error.js'
import { digestsOf, namedFile } from './local-file.js'
import { putFile, uploadFile, type UploadTarget } from './put-file.js'

const SIZE = 3_000_000

describe('putting a file', () => {
  let server: Server
  let url: string
  let directory: string
  let path: string
  const content = randomBytes(SIZE)
  /** Reply of the server; each test sets its own. */
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const never = new AbortController().signal
  const put = async (onBytes: (bytes: number) => void = () => undefined) =>
    putFile(await namedFile(path), `${url}/uploads/secret`, { signal: never, onBytes })

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-put-'))
    path = join(directory, 'core')
    await writeFile(path, content)
    server = createServer((request, response) => {
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  })

  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await rm(directory, { recursive: true })
  })

  const taking = (then: (body: Buffer, request: IncomingMessage, response: ServerResponse) => void) =>
    function (request: IncomingMessage, response: ServerResponse) {
      const read: Buffer[] = []
      request.on('data', (bytes: Buffer) => read.push(bytes))
      request.on('end', () => {
        then(Buffer.concat(read), request, response)
      })
    }

  it('sends its bytes with their length, reports its progress, and shows no credential', async () => {
    let got: { body: Buffer; headers: IncomingMessage['headers'] } | undefined
    answer = taking((body, { headers }, response) => {
      got = { body, headers }
      response.end()
    })
    let sent = 0
    await put((bytes) => (sent += bytes))
    expect(got?.body.equals(content)).toBe(true)
    expect(sent).toBe(SIZE)
    expect(got?.headers['content-length']).toBe(String(SIZE))
    expect(got?.headers['transfer-encoding']).toBeUndefined()
    expect(got?.headers.authorization).toBeUndefined()
  })

  it('a refusal that comes before the end is reported', async () => {
    answer = (request, response) => {
      response.writeHead(400, { 'content-type': 'application/problem+json' })
      response.end(
        JSON.stringify({ code: 'upload_too_large', title: 'T', detail: 'Uploaded file is too big' }),
      )
      request.once('data', () => request.pause())
    }
    await expect(put()).rejects.toMatchObject({ name: 'ProblemError', code: 'upload_too_large' })
  })

  it('what a storage says that is not Bearing, a redirect too, is an error without the address', async () => {
    answer = taking((_, _request, response) => {
      response
        .writeHead(503, { 'content-type': 'application/xml' })
        .end('<Error><Code>SlowDown</Code></Error>')
    })
    await expect(put()).rejects.toThrow(UnexpectedReplyError)
    await expect(put()).rejects.toThrow('SlowDown')
    answer = taking((_, _request, response) => {
      response.writeHead(307, { location: `${url}/elsewhere` }).end()
    })
    const error = await put().catch(String)
    expect(error).toContain('redirects')
    expect(error).not.toContain('secret')
  })

  it('a connection that ends is an UnreachableError', async () => {
    answer = (request) => {
      request.once('data', () => request.destroy())
    }
    await expect(put()).rejects.toThrow(UnreachableError)
    await new Promise((resolve) => server.close(resolve))
    await expect(put()).rejects.toThrow('ECONNREFUSED')
  })

  it('a file that shrinks or grows meanwhile is a mistake and no upload', async () => {
    answer = taking((_, _request, response) => response.end())
    const file = await namedFile(path)
    await truncate(path, SIZE - 1)
    const putting = { signal: never, onBytes: () => undefined }
    await expect(putFile(file, url, putting)).rejects.toThrow(UsageError)
    await writeFile(path, Buffer.concat([content, content]))
    await expect(putFile(file, url, putting)).rejects.toThrow('has changed')
  })

  it('starts again, at another URL, after the server was away; the commit is repeated alone', async () => {
    let puts = 0
    answer = (request, response) => {
      puts++
      if (puts === 1) request.once('data', () => request.destroy())
      else if (puts === 2) response.writeHead(502, { 'content-type': 'text/html' }).end('Bad Gateway')
      else
        taking((body, _request, last) => last.writeHead(body.equals(content) ? 200 : 500).end())(
          request,
          response,
        )
    }
    let [prepared, commits] = [0, 0]
    const target: UploadTarget = {
      prepare: () =>
        Promise.resolve({ upload_url: `${url}/${String(++prepared)}`, token: `t${String(prepared)}` }),
      commit: ({ token, md5, name }) => {
        if (++commits === 1) return Promise.reject(problem(503, 'service_unavailable'))
        expect([token, md5.length, name]).toEqual(['t3', 32, 'core'])
        return Promise.resolve(STORED)
      },
    }
    const file = await namedFile(path)
    let sent = 0
    const putting = { signal: never, onBytes: (bytes: number) => void (sent += bytes) }
    await uploadFile({ ...file, ...(await digestsOf(file, never)) }, target, putting)
    expect([prepared, puts, commits, sent]).toEqual([3, 3, 2, SIZE])
  })

  it('does not start again if the server refuses', async () => {
    let prepared = 0
    const target: UploadTarget = {
      prepare: () => {
        prepared++
        return Promise.reject(problem(403, 'permission_denied'))
      },
      commit: () => Promise.resolve(STORED),
    }
    const file = { ...(await namedFile(path)), md5: '', sha256: '' }
    const putting = { signal: never, onBytes: () => undefined }
    await expect(uploadFile(file, target, putting)).rejects.toThrow(ProblemError)
    expect(prepared).toBe(1)
  })
})

const STORED = {
  id: id(1),
  kind: 'coredump' as const,
  name: null,
  size: SIZE,
  sha256: '0'.repeat(64),
  device_serial: null,
  gnu_build_id: null,
  hardware_version: null,
  software_type: null,
  software_version: null,
  start_time: null,
  duration_secs: null,
  mimetypes: [],
  reason: null,
  created_at: CREATED_AT,
}

function problem(status: number, code: string): ProblemError {
  return new ProblemError({ status, code, title: code, detail: code, mistakes: [], retryAfter: 0 })
}
