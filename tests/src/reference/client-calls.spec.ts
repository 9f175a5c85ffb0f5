import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import ts from 'typescript'
import { ROOT } from '../tools/root.js'
import { clientCalls } from './client-calls.js'

const PROGRAM = `
import { BearingClient } from '@bearing/client'
const credential = { kind: 'organization_token', token: '' } as const
const bearing = new BearingClient({ url: 'http://localhost:8080', credential })
const projects = await bearing.listAll('listProjects', { organization: 'acme' })
for (const { slug: project } of projects) {
  const { data, paging } = await bearing.listDevices({ organization: 'acme', project })
  const serials: string[] = data.map(({ device_serial }) => device_serial)
  console.log(paging.total_count, serials)
}
`

it('the types of the published client are what `npx pnpm generate` writes', async () => {
  const file = join(ROOT, 'packages', 'client', 'src', 'generated', 'calls.ts')
  expect(await readFile(file, 'utf8')).toBe(clientCalls())
})

it('a program of ten lines with the published client needs at most 150,000 type instantiations', async () => {
  const file = join(ROOT, 'tests', 'ten-lines.mts')
  await writeFile(file, PROGRAM)
  try {
    const program = ts.createProgram([file], {
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
        types: ['node'],
      },
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024 },
    })
    const mistakes = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)
    expect(mistakes).toEqual([])
    expect(program.getInstantiationCount()).toBeGreaterThan(1_000)
    expect(program.getInstantiationCount()).toBeLessThanOrEqual(150_000)
  } finally {
    await rm(file)
  }
})
