import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImages, commitOf, type Build } from '@bearing/start/images/build-images'
import { findContainerTools, type ContainerTools } from '@bearing/start/images/container-tools'
import { versionOf } from '@bearing/start/release/version-places'
import { Hosts } from '@bearing/testing/hosts/hosts'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { localBaseImage } from './base-image.js'
import { describeWithContainers } from './describe-with-containers.js'
import { findPodmanCompose } from './podman-compose.js'
import { STAND_INS, makeStandIns } from './stand-ins.js'
import { ROOT } from '../tools/root.js'

const CACHE = join(ROOT, '.bearing', 'containers')
/** The first build fetches every package. */
const BUILD_MS = 40 * 60_000
const START_MS = 10 * 60_000
/** Services that `up` starts in docker-compose.yml, and builds. */
const SERVICES = ['identity', 'management', 'location', 'gateway'] as const
/** podman-compose has the services of a profile only if it is named. Docker runs one without. */
const COMMAND_LINE = ['--profile', 'cli']
const BUILT = [...SERVICES, 'migrate', 'bearing'].map((name) => `localhost/bearing_${name}`)

// Docker, with the published images of Postgres and NATS, does the same steps in .github/workflows/check.yml.
describeWithContainers('docker-compose.yml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bearing-compose-'))
  let tools: ContainerTools
  let hosts: Hosts
  const compose = join(folder, 'podman-compose')

  beforeAll(async () => {
    tools = await findContainerTools(CACHE)
    const base = await localBaseImage(tools, CACHE)
    // The same as in the other suites, which may build it under the same name at the same time.
    const source = 'https://example.com/bearing'
    const build: Build = { checkout: ROOT, version: versionOf(ROOT), commit: commitOf(ROOT), base, source }
    // Its stages are then those of the images below.
    await buildImages(tools, ['migrate'], build)
    await makeStandIns(tools, base)
    hosts = await Hosts.open(['dc'])
    const env = join(folder, '.env')
    writeFileSync(env, execFileSync(process.execPath, [join(ROOT, 'deploy', 'new-env.mjs')]), { mode: 0o600 })
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
      `--podman-build-args=--isolation chroot --timestamp ${String(build.commit.time)}`,
      `--podman-run-args=--health-cmd "${(JSON.parse(health) as string[]).join(' ')}"`,
    ]
    const quoted = command.map((word) => `'${word}'`).join(' ')
    writeFileSync(compose, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 })
    await clear()
    await inNetwork(compose, ...COMMAND_LINE, 'build', '--build-arg', `NODE_IMAGE=${base}`)
  }, BUILD_MS)

  afterAll(async () => {
    await clear()
    await hosts.close()
    // Their layers would count as those of former builds.
    await tools.buildah('rmi', ...BUILT, ...Object.values(STAND_INS))
    rmSync(folder, { recursive: true })
  }, START_MS)

  const inNetwork = (...command: readonly string[]) => tools.inNetwork(hosts.networkOf('dc'), ...command)
  /** Removes what this test has started, or one that was killed. */
  const clear = () => inNetwork(compose, 'down', '--volumes').catch(() => undefined)

  it(
    'starts everything with podman-compose of Debian, healthy and reachable at the port of the gateway alone',
    async () => {
      await inNetwork('timeout', '300', compose, 'up', '--detach')
      const containers = ['postgres', 'nats', ...SERVICES].map((service) => `bearing_${service}_1`)
      await inNetwork(join(CACHE, 'podman-that-waits'), 'wait', '--condition=healthy', ...containers)
      const urlOf = (port: number) => `http://${hosts.addressOf('dc')}:${String(port)}`
      expect((await fetch(`${urlOf(8080)}/openapi.json`)).status).toBe(200)
      for (const port of [4222, 5432, 9090]) await expect(fetch(urlOf(port))).rejects.toThrow()
    },
    START_MS,
  )

  it(
    'is brought from no user to a first position by its command line',
    async () => {
      const steps = join(ROOT, 'deploy', 'first-position.sh')
      expect(await inNetwork('sh', steps, compose, ...COMMAND_LINE)).toMatch(/48\.137/)
    },
    START_MS,
  )

  it.each(SERVICES)(
    '%s ends within 3 s of SIGTERM, as the first process of its container',
    async (service) => {
      const beganMs = performance.now()
      await inNetwork('podman', 'stop', '--time', '20', `bearing_${service}_1`)
      expect(performance.now() - beganMs).toBeLessThan(3_000)
      const code = await inNetwork(
        'podman',
        'inspect',
        '--format',
        '{{.State.ExitCode}}',
        `bearing_${service}_1`,
      )
      expect(code).toBe('0')
    },
  )
})
