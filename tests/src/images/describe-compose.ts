import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hosts } from '@bearing/testing/hosts/hosts'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CACHE, type Built } from './built.js'
import { findPodmanCompose } from './podman-compose.js'
import { STAND_INS, makeStandIns } from './stand-ins.js'
import { ROOT } from '../tools/root.js'

/** Services that `up` starts in docker-compose.yml, and builds. */
const SERVICES = ['identity', 'management', 'location', 'gateway'] as const
/** podman-compose has the services of a profile only if it is named. Docker runs one without. */
const COMMAND_LINE = ['--profile', 'cli']
const BUILT = [...SERVICES, 'migrate', 'bearing'].map((name) => `localhost/bearing_${name}`)

/** Docker, with the published images of Postgres and NATS, does the same steps in .github/workflows/check.yml. */
export function describeCompose(built: Built): void {
  describe('docker-compose.yml', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bearing-compose-'))
    let hosts: Hosts
    const compose = join(folder, 'podman-compose')

    beforeAll(async () => {
      const { base = '', commit } = built.build
      await makeStandIns(built.tools, base)
      hosts = await Hosts.open(['dc'])
      const env = join(folder, '.env')
      writeFileSync(env, execFileSync(process.execPath, [join(ROOT, 'deploy', 'new-env.mjs')]), {
        mode: 0o600,
      })
      const file = join(ROOT, 'docker-compose.yml')
      const optional = [...readFileSync(file, 'utf8').matchAll(/\$\{(\w+):-/g)].map(
        ([, name = '']) => `${name}=`,
      )
      // The format of these images, OCI, has no place for it.
      const [, health = '[]'] =
        /^HEALTHCHECK .*CMD (.*)$/m.exec(readFileSync(join(ROOT, 'deploy', 'Dockerfile'), 'utf8')) ?? []
      const command = [
        // Version 1.3 uses the default of a variable only if the variable is set, if to nothing.
        ...['env', ...optional, ...(await findPodmanCompose(CACHE))],
        ...['--file', file, '--env-file', env, '--parallel', '1'],
        `--podman-build-args=--isolation chroot --timestamp ${String(commit.time)}`,
        `--podman-run-args=--health-cmd "${(JSON.parse(health) as string[]).join(' ')}"`,
      ]
      const quoted = command.map((word) => `'${word}'`).join(' ')
      writeFileSync(compose, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 })
      await clear()
      // All of it comes from the layers of the release.
      await inNetwork(compose, ...COMMAND_LINE, 'build', '--build-arg', `NODE_IMAGE=${base}`)
    })

    afterAll(async () => {
      await clear()
      await hosts.close()
      // Their layers would count as those of former builds.
      await built.tools.buildah('rmi', ...BUILT, ...Object.values(STAND_INS))
      rmSync(folder, { recursive: true })
    })

    const inNetwork = (...command: readonly string[]) =>
      built.tools.inNetwork(hosts.networkOf('dc'), ...command)
    /** Removes what this test has started, or one that was killed. */
    const clear = () => inNetwork(compose, 'down', '--volumes').catch(() => undefined)

    it('starts everything with podman-compose of Debian, healthy and reachable at the port of the gateway alone', async () => {
      await inNetwork('timeout', '300', compose, 'up', '--detach')
      const containers = ['postgres', 'nats', ...SERVICES].map((service) => `bearing_${service}_1`)
      await inNetwork(join(CACHE, 'podman-that-waits'), 'wait', '--condition=healthy', ...containers)
      const urlOf = (port: number) => `http://${hosts.addressOf('dc')}:${String(port)}`
      expect((await fetch(`${urlOf(8080)}/openapi.json`)).status).toBe(200)
      for (const port of [4222, 5432, 9090]) await expect(fetch(urlOf(port))).rejects.toThrow()
    })

    it('is brought from no user to a first position by its command line', async () => {
      const steps = join(ROOT, 'deploy', 'first-position.sh')
      expect(await inNetwork('sh', steps, compose, ...COMMAND_LINE)).toMatch(/48\.137/)
    })

    // As `down` does: callers first, so that none waits for the reply of one that has ended.
    it.each(SERVICES.toReversed())(
      '%s ends within 3 s of SIGTERM, as the first process of its container',
      async (service) => {
        const container = `bearing_${service}_1`
        const stateOf = (field: string) =>
          inNetwork('podman', 'inspect', '--format', `{{.State.${field}}}`, container)
        const process = join('/proc', (await stateOf('Pid')).trim())
        expect(existsSync(process)).toBe(true)
        const beganMs = performance.now()
        // Podman of Debian 12 sometimes needs 20 s to record that a container has ended.
        const stopped = inNetwork('podman', 'stop', '--time', '20', container)
        while (existsSync(process) && performance.now() - beganMs < 20_000) await sleep(10)
        expect(performance.now() - beganMs).toBeLessThan(3_000)
        await stopped
        expect((await stateOf('ExitCode')).trim()).toBe('0')
      },
    )
  })
}
