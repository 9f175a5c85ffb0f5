// `pnpm pack:terraform [--out <folder>] [--only <target>]…` packs the Terraform provider as single executables, with the names that
// Terraform looks for in a mirror of providers. Targets: linux-x64, linux-arm64, and on another system that system's own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle, EXECUTABLES, packExecutable } from '../cli/pack-executable.mjs'

const HERE = import.meta.dirname
const { version } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(HERE, 'packed') },
    only: { type: 'string', multiple: true },
  },
})
const work = mkdtempSync(join(tmpdir(), 'bearing-pack-'))
try {
  const protocol = readFileSync(join(HERE, 'tfplugin6.proto'), 'utf8')
  const define = { PACKED_PROTOCOL: JSON.stringify(protocol) }
  const { program, notices } = await bundle({
    root: HERE,
    name: 'terraform-provider-bearing.cjs',
    define,
    work,
  })
  for (const target of values.only ?? EXECUTABLES) {
    const platform = target.replace('-', '_').replace('x64', 'amd64').replace('win32', 'windows')
    const folder = join(resolve(values.out), 'registry.terraform.io', 'bearing', 'bearing', version, platform)
    mkdirSync(folder, { recursive: true })
    const file = join(
      folder,
      `terraform-provider-bearing_v${version}${target.startsWith('win') ? '.exe' : ''}`,
    )
    packExecutable({ program, target, file, work })
    process.stdout.write(`${file}\n`)
  }
  writeFileSync(join(resolve(values.out), 'TERRAFORM-THIRD-PARTY-NOTICES.txt'), notices)
} finally {
  rmSync(work, { recursive: true, force: true })
}
