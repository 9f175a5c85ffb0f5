import { describe, expect, it } from '@jest/globals'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

const MODULE = new URL('logger.js', import.meta.url).href

describe('the log of a process', () => {
  it('never shows what has the name of a secret, however deep, and keeps the rest', () => {
    const [line] = written(`
      const error = Object.assign(new Error('no'), { code: 'E1', token: 'planted', config: { headers: { authorization: 'planted' } } })
      log.info({
        token: 'planted', key: 0, claims: { sub: 'planted' }, status: 200,
        request: { headers: { cookie: 'planted', host: 'a' }, list: [{ password: 'planted' }, 7] },
        err: error, cause: { secret: undefined, nested: { seed: 'planted' } },
      }, 'done')`)
    expect(JSON.stringify(line)).not.toContain('planted')
    expect(line).toMatchObject({
      msg: 'done',
      ...{ token: '[redacted]', key: '[redacted]', claims: '[redacted]', status: 200 },
      request: { headers: { cookie: '[redacted]', host: 'a' }, list: [{ password: '[redacted]' }, 7] },
      err: { type: 'Error', message: 'no', code: 'E1', token: '[redacted]' },
    })
    expect((line?.['err'] as { stack: string }).stack).toContain('Error: no')
  })

  it('says when a line was written, in UTC with milliseconds', () => {
    const lines = written(`
      for (const now of ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.050Z', '2025-12-31T00:00:00.001Z']) {
        Date.now = () => Date.parse(now)
        log.info({ now })
      }`)
    expect(lines).toHaveLength(4)
    for (const { time, now } of lines) expect(time).toBe(now)
  })

  it('has lines of known fields as it writes them itself', () => {
    const lines = written(`
      const names = ['text', 'number', 'flag', 'missing', 'nothing', 'odd']
      const write = linesOf('test', 'a "line"', names)
      for (const odd of ['\\n"\\\\', 'é😀', '', NaN, -0, 1e21]) {
        const fields = { nothing: undefined, odd, flag: true, number: 1.5, text: 'x' }
        log.info({ text: 'x', number: 1.5, flag: true, nothing: undefined, odd }, 'a "line"')
        write(fields)
      }`)
    expect(lines).toHaveLength(12)
    const plain = lines.map((line) => JSON.stringify({ ...line, time: typeof line['time'] }))
    for (let at = 0; at < plain.length; at += 2) expect(plain[at + 1]).toBe(plain[at])
  })

  it('has no such lines with the name of a secret', () => {
    const [line] = written(`
      try { linesOf('test', 'line', ['status', 'token']) } catch (error) { log.info(error.message) }`)
    expect(line?.['msg']).toMatch('must not be named token')
  })

  it('leaves the object that is logged as it is', () => {
    const [, second] = written(`
      const fields = { token: 'planted', inner: [{ key: 'planted' }] }
      log.info(fields)
      log.info({ same: fields.token === 'planted' && fields.inner[0].key === 'planted' })`)
    expect(second).toMatchObject({ same: true })
  })

  it.each([
    ['the end of the process', 'process.exit(0)'],
    ['an error that no one caught', "setImmediate(() => { throw new Error('thrown') })"],
  ])('is complete at %s', (_, end) => {
    expect(written(`for (let i = 0; i < 100; i += 1) log.info({ i }); ${end}`)).toHaveLength(100)
  })

  it('shows a line soon, and a warning immediately, with the lines before it', async () => {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      program(`
      log.info('before'); log.warn('warning'); process.kill(process.pid, 'SIGKILL')`),
    ])
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(child, 'close')
    expect(parsed(Buffer.concat(chunks).toString()).map(({ msg }) => msg)).toEqual(['before', 'warning'])
    const living = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      program(`
      log.info('soon'); setInterval(() => {}, 60_000)`),
    ])
    const [first] = (await once(living.stdout, 'data')) as [Buffer]
    living.kill('SIGKILL')
    expect(parsed(first.toString())).toMatchObject([{ msg: 'soon' }])
  })
})

type Line = Record<string, unknown>

function program(source: string): string {
  return `import { createLogger, linesOf } from '${MODULE}'\nconst log = createLogger('test', 'info')\n${source}`
}

/** Runs a program with a log, and returns its lines. */
function written(source: string): Line[] {
  try {
    return parsed(
      execFileSync(process.execPath, ['--input-type=module', '--eval', program(source)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  } catch (error) {
    return parsed((error as { stdout: string }).stdout)
  }
}

function parsed(text: string): Line[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}
