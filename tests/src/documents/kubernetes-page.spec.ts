import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'kubernetes.md'), 'utf8')

/** The command line of this checkout, which is built, and a cluster whose gateway is reached without a tunnel. */
const PRELUDE = `set -e
kubectl() { :; }
npm() { :; }
bearing() { ${JSON.stringify(process.execPath)} ${JSON.stringify(join(ROOT, 'apps', 'cli', 'dist', 'main.js'))} "$@"; }
`

describe('docs/kubernetes.md', () => {
  const stack = stackForSuite({ oneProcess: true })

  it('leads from the first user to a first position', async () => {
    const password = 'correct horse battery'
    const bootstrap = ['admin', 'bootstrap', '--email', 'you@example.com']
    const created = await runBearing(bootstrap, { BEARING_NATS_URL: stack.natsUrl }, `${password}\n`)
    expect([created.code, created.stderr]).toEqual([0, expect.any(String)])
    const [, section = ''] = PAGE.split('## Get a first position\n')
    const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? []
    const [gateway = ''] = stack.gatewayUrls
    const script = block.replaceAll('http://localhost:8080', gateway)
    expect(script).toContain(gateway)
    const directory = mkdtempSync(join(tmpdir(), 'bearing-kubernetes-page-'))
    try {
      const options = { cwd: directory, input: `${password}\n`, encoding: 'utf8' } as const
      const { status, stdout, stderr } = spawnSync('bash', ['-c', PRELUDE + script], {
        ...options,
        env: { HOME: directory, PATH: process.env['PATH'] },
      })
      expect([status, stderr]).toEqual([0, expect.any(String)])
      expect(stdout).toMatch(/48\.137\d*/)
      expect(stdout).toMatch(/11\.575\d*/)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
