import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../../testing/fake-gateway.js'
import { runAgainst } from '../../testing/run-against.js'

const project = (n: number, slug: string, name: string) => ({ id: id(n), slug, name, created_at: CREATED_AT })
const answers: Answers = {
  listProjects: (input) => page([project(1, 'gate', 'Gate\u001b[2J'), project(2, 'dock', 'Dock')], 2, input),
}
const list = (...flags: string[]) => runAgainst(answers, ['projects', 'list', ...flags])

describe('--jq', () => {
  it.each([
    ['.[].slug', 'gate\ndock\n'],
    ['map({slug, n: (.name | length)})', '[{"slug":"gate","n":8},{"slug":"dock","n":4}]\n'],
    ['.[] | [.slug, .name] | @tsv', 'gate\tGate\\u001b[2J\ndock\tDock\n'],
    ['.[0].missing // "none"', 'none\n'],
    ['try error("x") catch .', 'x\n'],
    ['empty', ''],
    ['-1', '-1\n'],
  ])('prints what %s makes of a list', async (filter, printed) => {
    expect(await list('--jq', filter)).toMatchObject({ code: 0, stdout: printed, stderr: '' })
  })

  it('filters each item with -o ndjson, and an answer of bearing api', async () => {
    expect((await list('-o', 'ndjson', '--jq=.slug')).stdout).toBe('gate\ndock\n')
    const path = '/api/v0/organizations/{organization}/projects'
    expect((await runAgainst(answers, ['api', 'GET', path, '--jq', '.data[0].slug'])).stdout).toBe('gate\n')
  })

  it.each([
    [['--jq', '.['], 'is invalid: syntax error, unexpected end of file'],
    [['--jq', 'nonsense'], 'is invalid: nonsense/0 is not defined'],
    [['--jq', '.', '-o', 'csv'], '--jq filters JSON.'],
  ])('refuses %j before it asks the server', async (flags, message) => {
    const refused = await list(...flags)
    expect(refused).toMatchObject({ code: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain(message)
  })

  it('refuses commands that write a file', async () => {
    const refused = await runAgainst({}, ['devices', 'export', '--jq', '.'])
    expect(refused).toMatchObject({ code: 2, requests: [] })
  })

  it('says why a filter does not fit the result', async () => {
    const failed = await list('--jq', '.slug')
    expect(failed).toMatchObject({ code: 2, stdout: '' })
    expect(failed.stderr).toContain('does not fit the result: Cannot index array with')
  })

  it('sees no variable of the environment', async () => {
    expect((await list('--jq', '$ENV | has("BEARING_ORG_TOKEN")')).stdout).toBe('false\n')
  })
})
