import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOnPath, unpackFromDebian } from '@bearing/local/debian-package'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { newDeviceSigner, newIdentityProject, seconds } from '../tools/device-signer.js'
import { send } from '../tools/http.js'
import { sendRaw } from '../tools/raw-http.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'connect-firmware.md'), 'utf8')
const [SIGNING = '', FUNCTIONS = ''] = [...PAGE.matchAll(/^```c\n(#include.*?)^```/gms)].map(
  ([, text]) => text,
)
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
/** Reads a private key of 32 bytes, and writes a token. */
const SIGNING_MAIN = `
int main(int count, char **given)
{
  unsigned char secret[32];
  char token[512], tiny[64];
  psa_key_id_t key;
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
  psa_set_key_bits(&attributes, 256);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
  psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
  if (count != 4 || fread(secret, 1, sizeof secret, stdin) != sizeof secret || psa_crypto_init() != PSA_SUCCESS) return 1;
  if (psa_import_key(&attributes, secret, sizeof secret, &key) != PSA_SUCCESS) return 2;
  long long now = strtoll(given[3], NULL, 10);
  if (bearing_token(tiny, sizeof tiny, key, given[1], given[2], now) != -1) return 3;
  if (bearing_token(token, sizeof token, key, given[1], given[2], now) != 0) return 4;
  return fputs(token, stdout) < 0;
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
    const { project } = await newOrganization()
    await compiled(FUNCTIONS + MAIN, [], async (program) => {
      const head = execFileSync(program, ['bearing.example.com', project.key, 'SENSOR-0001'], {
        encoding: 'utf8',
      })
      const { status } = await sendRaw(testStack().gatewayUrls[0] ?? '', `${head}boot!`)
      expect(status).toBe(202)
    })
  })

  it('compile with Mbed TLS, and sign a token by PSA Crypto that a gateway accepts', async () => {
    const organization = await newOrganization()
    const project = await newIdentityProject(organization)
    const { serial, publicKey, privateKey } = await newDeviceSigner(organization, project)
    const der = publicKey.export({ type: 'spki', format: 'der' })
    const kid = createHash('sha256').update(der).digest('hex')
    const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
    const mbedtls = join(ROOT, '.bearing', 'mbedtls')
    if (!existsSync(mbedtls)) await unpackFromDebian(mbedtls, ['libmbedtls-dev'])
    const [library = ''] = globSync(join(mbedtls, 'usr', 'lib', '*', 'libmbedcrypto.a'))
    const options = ['-isystem', join(mbedtls, 'usr', 'include'), '-include', 'stdlib.h']
    await compiled(SIGNING + SIGNING_MAIN, [...options, library], async (program) => {
      const token = execFileSync(program, [kid, serial, String(seconds())], {
        input: secret,
        encoding: 'utf8',
      })
      const { status } = await send(testStack().gatewayUrls[0] ?? '', 'POST', `/api/v0/chunks/${serial}`, {
        credential: { kind: 'device_token', token },
        headers: { 'content-type': 'application/octet-stream' },
        body: 'boot!',
      })
      expect(status).toBe(202)
    })
  })
})

/** Compiles a program in a folder of its own. */
async function compiled(
  source: string,
  more: readonly string[],
  use: (program: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bearing-firmware-'))
  try {
    const program = join(directory, 'device')
    await writeFile(`${program}.c`, source)
    const warnings = ['-std=c99', '-Wall', '-Wextra', '-Werror']
    execFileSync(compiler ?? '', [...warnings, '-o', program, `${program}.c`, ...more])
    await use(program)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

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
