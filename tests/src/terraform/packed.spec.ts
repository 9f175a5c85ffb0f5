import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'
import { TERRAFORM, withTerraform } from './terraform.js'

const run = promisify(execFile)
const CONFIGURATION = `terraform {
  required_providers { bearing = { source = "bearing/bearing" } }
}
resource "bearing_project" "gate" { name = "Gate" }
`

withTerraform('the packed provider', () => {
  it('is one executable that terraform installs from a mirror and plans with', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bearing-terraform-packed-'))
    const pack = join(ROOT, 'apps', 'terraform-provider', 'pack.mjs')
    const target = `${process.platform}-${process.arch}`
    await run(process.execPath, [pack, '--out', join(folder, 'mirror'), '--only', target])
    const rc = join(folder, 'terraform.rc')
    await writeFile(rc, `provider_installation {\n filesystem_mirror { path = "${folder}/mirror" }\n}\n`)
    await writeFile(join(folder, 'main.tf'), CONFIGURATION)
    const options = { cwd: folder, env: { HOME: folder, TF_CLI_CONFIG_FILE: rc, CHECKPOINT_DISABLE: '1' } }
    const terraform = async (command: string) =>
      (await run(TERRAFORM ?? 'terraform', [command, '-no-color'], options)).stdout
    expect(await terraform('init')).toContain('Installed bearing/bearing')
    expect(await terraform('plan')).toContain('1 to add')
    await rm(folder, { recursive: true })
  }, 120_000)
})
