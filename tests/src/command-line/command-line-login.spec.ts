import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { runBearing, spawnBearing, type Ended } from '../tools/bearing.js'
import { Browser } from '../tools/browser.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { send } from '../tools/http.js'
import { change, connect, gateway, link } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

/** `secret-tool` as far as the command line uses it: secrets are files of a folder, and its arguments are kept. */
const SECRET_TOOL = `#!/bin/sh
echo "$@" >> "$HOME/arguments"
for name; do :; done
case "$1" in
  store) cat > "$HOME/keychain-$name" ;;
  lookup) cat "$HOME/keychain-$name" ;;
  clear) rm -f "$HOME/keychain-$name" ;;
esac
`

describe('a login of the command line', () => {
  const own = forSuite(() => newOrganization())
  /** A home directory of its own for each test. */
  let home: string
  const running: ChildProcess[] = []
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'bearing-login-'))
  })
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill()
    await rm(home, { recursive: true })
  })

  const environment = (): Record<string, string> => ({
    HOME: home,
    PATH: `${home}/bin:${process.env['PATH'] ?? ''}`,
  })
  const run = (...args: string[]) => runBearing(args, environment())
  const json = async (...args: string[]) => {
    const ended = await run(...args, '--json')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(ended.stdout) as Record<string, unknown>
  }
  const configured = (name: string) => join(home, '.config', 'bearing', name)
  const tokenOf = async () =>
    Object.values(JSON.parse(await readFile(configured('credentials.json'), 'utf8')) as object)[0] as string

  /** Starts a login. @returns the code that it shows, and how it ends */
  async function start(...args: string[]): Promise<{ code: string; ended: Promise<Ended> }> {
    const child = spawnBearing(['login', '--url', gateway(), ...args], environment())
    running.push(child)
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => {
        resolve({ code, stdout, stderr })
      })
    })
    const code = await new Promise<string>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk
        const shown = /\b[B-Z]{4}-[B-Z]{4}\b/.exec(stderr)?.[0]
        if (shown !== undefined) resolve(shown)
      })
      child.once('close', () => {
        reject(new Error(`The login has ended: ${stderr}`))
      })
    })
    return { code, ended }
  }

  async function allowed(...args: string[]): Promise<Ended> {
    const browser = await Browser.signIn(gateway(), own.admin)
    const { code, ended } = await start(...args)
    const reply = await browser.send(gateway(), 'POST', '/auth/login/allow', { body: { user_code: code } })
    expect(reply.status).toBe(200)
    return ended
  }

  it('that is allowed in the browser is used by all commands, until it is logged out', async () => {
    const ended = await allowed()
    expect(ended.code).toBe(0)
    expect(ended.stdout + ended.stderr).not.toContain('brgs_')
    expect(ended.stderr).toContain(`${gateway()}/command-line`)
    for (const name of ['credentials.json', 'contexts.json'])
      expect((await stat(configured(name))).mode & 0o777).toBe(0o600)
    expect((await stat(configured(''))).mode & 0o777).toBe(0o700)
    const token = await tokenOf()
    expect(await readFile(configured('contexts.json'), 'utf8')).not.toContain(token)

    expect(await json('auth', 'status')).toMatchObject({
      signed_in: true,
      stored_in: 'file',
      server: gateway(),
      principal: { email: own.admin.email, proof: 'session' },
    })
    // The only organization of the user.
    expect(JSON.stringify(await json('projects', 'list'))).toContain(own.project.slug)
    // Changes need no CSRF token.
    expect(await json('projects', 'create', 'By login', '--slug', `login-${randomUUID()}`)).toMatchObject({
      name: 'By login',
    })
    expect((await run('sessions', 'list')).stdout).toMatch(/command line on \S+/)

    expect(await json('logout')).toEqual({ signed_out: true })
    expect(await readFile(configured('credentials.json'), 'utf8')).not.toContain(token)
    const headers = { authorization: `Bearer ${token}` }
    expect((await send(gateway(), 'GET', '/auth/me', { headers })).status).toBe(401)
    const status = await run('auth', 'status')
    expect(status).toMatchObject({ code: 4, stdout: '' })
    expect(status.stderr).toContain('bearing login')
    expect(await run('projects', 'list')).toMatchObject({ code: 2 })
    expect(await json('logout')).toEqual({ signed_out: false })
  })

  it('whose session was ended in the browser ends with exit code 4, and is replaced by another login', async () => {
    expect(await allowed()).toMatchObject({ code: 0 })
    const token = await tokenOf()
    const browser = await Browser.signIn(gateway(), own.admin)
    await browser.send(gateway(), 'DELETE', '/auth/sessions')
    const refused = await run('projects', 'list')
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('Run "bearing login" to sign in again.')
    expect(await allowed()).toMatchObject({ code: 0 })
    expect(await tokenOf()).not.toBe(token)
    expect(await run('projects', 'list')).toMatchObject({ code: 0 })
  })

  it('that is denied fails, and stores nothing', async () => {
    const browser = await Browser.signIn(gateway(), own.admin)
    const { code, ended } = await start()
    await browser.send(gateway(), 'POST', '/auth/login/deny', { body: { user_code: code } })
    const { code: exitCode, stderr } = await ended
    expect(exitCode).toBe(1)
    expect(stderr).toContain('access_denied')
    await expect(stat(configured('contexts.json'))).rejects.toThrow('ENOENT')
  })

  it('works where the organization requires single sign-on, if the browser came through it', async () => {
    const provider = await FakeProvider.start()
    try {
      const organization = await newOrganization()
      const { admin } = organization
      const connectionId = await connect(organization, provider)
      provider.person = { sub: randomUUID() }
      await link(admin, connectionId)
      const browser = new SsoBrowser(gateway())
      await browser.signIn(connectionId)
      const policy = await change(
        browser,
        'PUT',
        `/api/v0/organizations/${organization.slug}/sign_in_policy`,
        { sso_required: true },
      )
      expect(policy.status).toBe(200)
      const byKey = { ...environment(), BEARING_URL: gateway(), BEARING_ORG: organization.slug }
      const withKey = { ...byKey, BEARING_EMAIL: admin.email, BEARING_PASSWORD: admin.apiKey }
      const refused = await runBearing(['projects', 'list'], withKey)
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('bearing login')

      const { code, ended } = await start('--org', organization.slug)
      const reply = await change(browser, 'POST', '/auth/login/allow', { user_code: code })
      expect(reply.status).toBe(200)
      expect(await ended).toMatchObject({ code: 0 })
      expect(JSON.stringify(await json('projects', 'list'))).toContain(organization.project.slug)
      // The same, allowed by a session that came with the password.
      const byPassword = await Browser.signIn(gateway(), admin)
      const other = await start('--org', organization.slug, '--context', 'password')
      await byPassword.send(gateway(), 'POST', '/auth/login/allow', { body: { user_code: other.code } })
      expect(await other.ended).toMatchObject({ code: 0 })
      expect((await run('projects', 'list')).stderr).toContain('sso_required')
      expect(await run('context', 'use', new URL(gateway()).host)).toMatchObject({ code: 0 })
      // The session may not create a credential that outlasts it.
      expect(await run('user-key', 'create')).toMatchObject({ code: 1 })
    } finally {
      await provider.stop()
    }
  })

  it('is stored in the keychain where there is one, and its token in no file and no argument', async () => {
    await mkdir(join(home, 'bin'))
    await writeFile(join(home, 'bin', 'secret-tool'), SECRET_TOOL)
    await chmod(join(home, 'bin', 'secret-tool'), 0o700)
    expect(await allowed('--context', 'work')).toMatchObject({ code: 0 })
    const token = await readFile(join(home, 'keychain-work'), 'utf8')
    expect(token).toMatch(/^brgs_\w{71}$/)
    expect(await readFile(join(home, 'arguments'), 'utf8')).not.toContain('brgs_')
    await expect(stat(configured('credentials.json'))).rejects.toThrow('ENOENT')
    expect(await json('auth', 'status')).toMatchObject({ context: 'work', stored_in: 'keychain' })
    expect(await json('context', 'delete', 'work')).toEqual({ deleted: 'work' })
    await expect(stat(join(home, 'keychain-work'))).rejects.toThrow('ENOENT')
    const headers = { authorization: `Bearer ${token}` }
    expect((await send(gateway(), 'GET', '/auth/me', { headers })).status).toBe(401)
  })

  it('is refused in the place of an organization token and beside other credentials', async () => {
    expect(await allowed()).toMatchObject({ code: 0 })
    const authorization = `Bearer ${await tokenOf()}`
    const browser = await Browser.signIn(gateway(), own.admin)
    const me = (headers: Record<string, string>) => send(gateway(), 'GET', '/auth/me', { headers })
    expect((await me({ authorization, cookie: browser.cookie })).json).toMatchObject({
      code: 'multiple_credentials',
    })
    // A page of another site cannot know the token; if it did, its changes are refused too.
    const foreign = { authorization, 'sec-fetch-site': 'cross-site' }
    const ended = await send(gateway(), 'DELETE', '/auth/session', { headers: foreign })
    expect(ended.json).toMatchObject({ code: 'csrf_refused' })
    expect((await me({ authorization })).status).toBe(200)
  })
})
