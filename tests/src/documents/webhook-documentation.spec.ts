import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOnPath } from '@bearing/local/debian-package'
import { freePort } from '@bearing/local/ports'
import { eventually } from '@bearing/testing/eventually'
import { folderForSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const KEY = Buffer.alloc(32, 7)
const SECRET = `whsec_${KEY.toString('base64')}`
const BODY = '{"type":"webhook.test"}'

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** Reads the delivery from the environment, as the test of each language does. */
const PYTHON_MAIN = `
import os
given = os.environ
verify({name: given[name.upper().replace("-", "_")] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}, given["BODY"].encode(), given["WEBHOOK_SECRET"])
`
const GO_HEAD = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

`
const GO_MAIN = `
func main() {
	header := http.Header{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		header.Set(name, os.Getenv(strings.ReplaceAll(strings.ToUpper(name), "-", "_")))
	}
	if err := Verify(header, []byte(os.Getenv("BODY")), os.Getenv("WEBHOOK_SECRET")); err != nil {
		os.Exit(1)
	}
}
`
// Bearing needs neither language, so a machine without one skips this and says so.
const [python, go] = [await findOnPath('python3'), await findOnPath('go')]

describe('how docs/webhooks.md verifies a delivery', () => {
  const directory = folderForSuite()
  let blocks: Record<string, string>

  beforeAll(async () => {
    const text = await readFile(join(ROOT, 'docs/webhooks.md'), 'utf8')
    const found = [...text.matchAll(/```(js|sh|python|go)\n(.*?)```/gs)]
    blocks = Object.fromEntries(found.map(([, language = '', code = '']) => [language, code]))
    await writeFile(join(directory, 'verify.sh'), blocks['sh'] ?? '')
    await writeFile(join(directory, 'verify.py'), `${blocks['python'] ?? ''}${PYTHON_MAIN}`)
    await writeFile(join(directory, 'verify.go'), `${GO_HEAD}${blocks['go'] ?? ''}${GO_MAIN}`)
  })

  const headersAt = (seconds: number, body = BODY, id = 'an-id') => {
    const signature = createHmac('sha256', KEY)
      .update(`${id}.${String(seconds)}.${body}`)
      .digest('base64')
    return {
      WEBHOOK_ID: id,
      WEBHOOK_TIMESTAMP: String(seconds),
      WEBHOOK_SIGNATURE: `v1,${Buffer.alloc(32).toString('base64')} v1,${signature}`,
    }
  }

  /** @returns the exit code */
  async function run(command: string, args: string[], environment: Record<string, string>): Promise<number> {
    const { BODY: body = BODY, ...rest } = environment
    await writeFile(join(directory, 'body.json'), body)
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET, BODY: body, ...rest }
    return await new Promise((resolve) => {
      const child = execFile(command, args, { cwd: directory, env }, () => resolve(child.exitCode ?? -1))
    })
  }

  const now = () => Math.floor(Date.now() / 1_000)
  const cases = () => ({
    right: headersAt(now()),
    'another body': { ...headersAt(now()), BODY: `${BODY} ` },
    'another secret': {
      ...headersAt(now()),
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
    },
    'another id': { ...headersAt(now()), WEBHOOK_ID: 'another' },
    'no signature': { ...headersAt(now()), WEBHOOK_SIGNATURE: '' },
  })

  it('in a receiver for Node, which prints each delivery once', async () => {
    const port = await freePort()
    const script = join(directory, 'receiver.mjs')
    await writeFile(script, (blocks['js'] ?? '').replace('9797', String(port)))
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET }
    const receiver = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      let printed = ''
      receiver.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
      const send = async ({ BODY: body = BODY, ...given }: Record<string, string>) => {
        const headers = Object.fromEntries(
          HEADERS.map((name) => [name, given[name.toUpperCase().replaceAll('-', '_')] ?? '']),
        )
        const reply = await fetch(`http://127.0.0.1:${String(port)}/`, { method: 'POST', headers, body })
        return reply.status
      }
      await eventually(async () => {
        expect(await send({})).toBe(401)
      })
      for (const [name, { WEBHOOK_SECRET, ...delivery }] of Object.entries<Record<string, string>>(cases()))
        // The receiver has its secret from its start.
        if (WEBHOOK_SECRET === undefined)
          expect([name, await send(delivery)]).toEqual([name, name === 'right' ? 204 : 401])
      expect(await send(headersAt(now() - 600))).toBe(401)
      const large = 'x'.repeat(1_000_001)
      expect(await send({ ...headersAt(now(), large), BODY: large })).toBe(401)
      expect(await send(headersAt(now()))).toBe(204)
      const last = '{"type":"last"}'
      expect(await send({ ...headersAt(now(), last, 'another-id'), BODY: last })).toBe(204)
      await eventually(() => {
        expect(printed).toContain('last')
      })
      expect(printed).toBe("{ type: 'webhook.test' }\n{ type: 'last' }\n")
    } finally {
      receiver.kill()
    }
  })

  const testIf = (isThere: boolean, name: string, test: () => Promise<void>) => {
    if (isThere) it(name, test)
    else it.skip(`${name} (skipped: not on this machine)`, test)
  }

  testIf(python !== undefined, 'in Python', async () => {
    const args = ['-W', 'error', 'verify.py']
    for (const [name, environment] of Object.entries(cases()))
      expect([name, await run(python ?? '', args, environment)]).toEqual([name, name === 'right' ? 0 : 1])
    expect(await run(python ?? '', args, headersAt(now() - 600))).toBe(1)
  })

  testIf(go !== undefined, 'in Go', async () => {
    const built = ['build', '-o', 'verify-go', 'verify.go']
    const offline = { GO111MODULE: 'off', GOCACHE: join(directory, 'cache'), HOME: directory }
    expect(await run(go ?? '', built, offline)).toBe(0)
    const program = join(directory, 'verify-go')
    for (const [name, environment] of Object.entries(cases()))
      expect([name, await run(program, [], environment)]).toEqual([name, name === 'right' ? 0 : 1])
    expect(await run(program, [], headersAt(now() - 600))).toBe(1)
  })

  it('in a shell', async () => {
    for (const [name, environment] of Object.entries(cases()))
      expect([name, await run('sh', ['verify.sh'], environment)]).toEqual([name, name === 'right' ? 0 : 1])
  })
})
