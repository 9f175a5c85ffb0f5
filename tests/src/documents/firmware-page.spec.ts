import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOnPath } from '@bearing/local/debian-package'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'
import { sendRaw } from '../tools/raw-http.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'connect-firmware.md'), 'utf8')
const [, FUNCTIONS = ''] = /^```c\n(#include.*?)^```/ms.exec(PAGE) ?? []
const MAIN = `
int main(int count, char **given)
{
  char head[512], tiny[16];
  if (count != 4 || bearing_chunk_head(tiny, sizeof tiny, given[1], given[2], given[3], 5) != -1) return 1;
  if (bearing_outcome(202) != 0 || bearing_outcome(503) != 1 || bearing_outcome(429) != 1 || bearing_outcome(403) != -1) return 2;
  if (bearing_chunk_head(head, sizeof head, given[1], given[2], given[3], 5) < 0) return 3;
  return fputs(head, stdout) < 0;
}
`
const [, ANDROID = ''] = /^```java\n(.*?)^```/ms.exec(PAGE) ?? []
const JAVA_MAIN = `
final class Main {
  public static void main(String[] given) {
    System.out.print(BearingUploader.send(given[0], given[1], given[2], "boot!".getBytes()));
  }
}
`
// Bearing needs no compiler, so a machine without one skips this and says so.
const compiler = await findOnPath('cc')
const describeWithCompiler = (name: string, suite: () => void) =>
  compiler === undefined ? describe.skip(`${name} (no C compiler)`, suite) : describe(name, suite)

describeWithCompiler('the functions in C of docs/connect-firmware.md', () => {
  it('compile without a warning, and write a request that a gateway accepts', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'bearing-firmware-'))
    try {
      const program = join(directory, 'device')
      await writeFile(`${program}.c`, FUNCTIONS + MAIN)
      execFileSync(compiler ?? '', ['-std=c99', '-Wall', '-Wextra', '-Werror', '-o', program, `${program}.c`])
      const { project } = await newOrganization()
      const head = execFileSync(program, ['bearing.example.com', project.key, 'SENSOR-0001'], {
        encoding: 'utf8',
      })
      const { status } = await sendRaw(testStack().gatewayUrls[0] ?? '', `${head}boot!`)
      expect(status).toBe(202)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})

// Bearing needs no Java, so a machine without it skips this and says so.
const [javac, java] = [await findOnPath('javac'), await findOnPath('java')]
const describeWithJava = (name: string, suite: () => void) =>
  javac === undefined || java === undefined
    ? describe.skip(`${name} (no Java)`, suite)
    : describe(name, suite)

describeWithJava('the class for Android of docs/connect-firmware.md', () => {
  it('compiles without a warning, stores a chunk, and keeps it only where it has to be sent again', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'bearing-android-'))
    try {
      await writeFile(join(directory, 'Main.java'), ANDROID + JAVA_MAIN)
      execFileSync(javac ?? '', ['-Xlint:all', '-Werror', '-d', directory, join(directory, 'Main.java')])
      const { project, token, slug } = await newOrganization()
      const gateway = testStack().gatewayUrls[0] ?? ''
      const run = (url: string, key: string) =>
        execFileSync(java ?? '', ['-cp', directory, 'Main', url, key, 'PHONE-0001'], { encoding: 'utf8' })
      expect(run(gateway, project.key)).toBe('true')
      await eventually(async () => {
        const path = `/api/v0/organizations/${slug}/projects/${project.slug}/devices/PHONE-0001`
        expect((await send(gateway, 'GET', path, { credential: token.credential })).status).toBe(200)
      })
      // Rejected finally, and a gateway that is not there.
      expect(run(gateway, 'not-a-key')).toBe('true')
      expect(run('http://127.0.0.1:9', project.key)).toBe('false')
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})
