import { execFile, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { compileCache } from '@bearing/local/compile-cache'
import type { TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { describe } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const execute = promisify(execFile)

export const PROVIDER = join(ROOT, 'apps', 'terraform-provider', 'dist', 'main.js')

/** The `terraform` of the path. Undefined: it is not there. */
export const TERRAFORM = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'terraform'))
  .find(isExecutable)

/** Tests that need the real program. Without it, protocol.spec.ts tests the provider. */
export function withTerraform(title: string, tests: () => void): void {
  if (TERRAFORM) describe(title, tests)
  else describe.skip(`${title} (skipped: terraform is not on the PATH)`, tests)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The outcome of a run of Terraform; the output has both streams. */
interface Ended {
  readonly code: number
  readonly output: string
}

function succeeded({ code, output }: Ended): string {
  if (code !== 0) throw new Error(output)
  return output
}

type Environment = Readonly<Record<string, string | undefined>>

/** A resource in the state. */
export interface InState {
  readonly address: string
  readonly values: Readonly<Record<string, unknown>>
}

/** A folder with a configuration that `terraform` applies with the provider of this checkout. */
export class Workspace implements AsyncDisposable {
  private constructor(
    private readonly folder: string,
    private readonly environment: Environment,
  ) {}

  /** @param environment credentials (default: the API key of the organization's admin) */
  static async create(of: TestOrganization, environment?: Environment): Promise<Workspace> {
    const folder = await mkdtemp(join(tmpdir(), 'bearing-terraform-'))
    const program = join(folder, 'terraform-provider-bearing')
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${PROVIDER}" "$@"\n`)
    await chmod(program, 0o755)
    const overrides = `provider_installation {\n dev_overrides { "bearing/bearing" = "${folder}" }\n direct {}\n}\n`
    await writeFile(join(folder, 'terraform.rc'), overrides)
    const admin = { BEARING_EMAIL: of.admin.email, BEARING_PASSWORD: of.admin.apiKey }
    return new Workspace(folder, {
      ...{ PATH: process.env['PATH'], HOME: folder, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' },
      ...{ TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'), NODE_COMPILE_CACHE: compileCache(ROOT) },
      ...{ BEARING_URL: testStack().gatewayUrls[0], BEARING_ORG: of.slug },
      ...(environment ?? admin),
    })
  }

  /** Runs `terraform`. */
  async run(...args: readonly string[]): Promise<Ended> {
    const options = { cwd: this.folder, env: this.environment, maxBuffer: 2 ** 26 }
    try {
      const { stdout, stderr } = await execute(TERRAFORM ?? 'terraform', [...args], options)
      return { code: 0, output: stdout + stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string } // of execFile
      if (typeof code !== 'number') throw error
      return { code, output: stdout + stderr }
    }
  }

  /** Writes a configuration and applies it. @returns what Terraform says, if it succeeds */
  async apply(configuration: string): Promise<string> {
    return succeeded(await this.tryApply(configuration))
  }

  async tryApply(configuration: string): Promise<Ended> {
    await this.write(configuration)
    return this.run('apply', '-auto-approve', '-no-color', '-input=false')
  }

  write(configuration: string): Promise<void> {
    const head = 'terraform {\n required_providers { bearing = { source = "bearing/bearing" } }\n}\n'
    return writeFile(join(this.folder, 'main.tf'), head + configuration)
  }

  /** Returns what Terraform would do. */
  async plan(): Promise<string> {
    return succeeded(await this.run('plan', '-no-color', '-input=false'))
  }

  async destroy(): Promise<string> {
    return succeeded(await this.run('destroy', '-auto-approve', '-no-color', '-input=false'))
  }

  /** Evaluates an expression. @returns what Terraform prints */
  async evaluate(expression: string): Promise<string> {
    const child = spawn(TERRAFORM ?? 'terraform', ['console'], { cwd: this.folder, env: this.environment })
    child.stdin.end(expression)
    return text(child.stdout)
  }

  /** Returns the resources of the state, and the values of its outputs. */
  async state(): Promise<{ resources: readonly InState[]; outputs: Readonly<Record<string, unknown>> }> {
    const { output } = await this.run('show', '-json')
    const { values } = JSON.parse(output) as {
      values?: { root_module?: { resources?: InState[] }; outputs?: Record<string, { value: unknown }> }
    }
    const outputs = Object.entries(values?.outputs ?? {}).map(([name, { value }]) => [name, value] as const)
    return { resources: values?.root_module?.resources ?? [], outputs: Object.fromEntries(outputs) }
  }

  /** Returns the attributes of one resource. */
  async valuesOf(address: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return (await this.state()).resources.find((resource) => resource.address === address)?.values
  }

  /** Returns the file of the state as it is. */
  stateFile(): Promise<string> {
    return readFile(join(this.folder, 'terraform.tfstate'), 'utf8')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true })
  }
}
