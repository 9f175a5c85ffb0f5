import { OperationError } from '@bearing/contracts/errors'
import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, TOKEN, type Answers } from '../testing/fake-gateway.js'
import { runAgainst as run } from '../testing/run-against.js'

const listProjects: Answers['listProjects'] = (input) =>
  page(
    ['gate', 'dock'].map((slug, index) => ({ id: id(index + 1), slug, name: slug, created_at: CREATED_AT })),
    2,
    input,
  )
const CREATE = ['org-tokens', 'create', '--description', 'ci']

describe('org-tokens create', () => {
  it('binds the token to every --project, by id, wherever the flag stands', async () => {
    let asked: unknown
    const answers: Answers = {
      listProjects,
      createOrganizationToken: (input) => {
        asked = input.project_ids
        return { ...TOKEN, project_ids: input.project_ids ?? null, token: 'brgo_Secret' }
      },
    }
    const { code, stdout } = await run(answers, ['--project', 'dock', ...CREATE, '--project=gate'])
    expect({ code, asked }).toEqual({ code: 0, asked: [id(2), id(1)] })
    expect(stdout).toContain('dock, gate')
  })

  it('does not bind the token to the project of the environment', async () => {
    let asked: unknown = 'nothing'
    const answers: Answers = {
      createOrganizationToken: (input) => {
        asked = input.project_ids
        return { ...TOKEN, token: 'brgo_Secret' }
      },
    }
    expect((await run(answers, CREATE)).code).toBe(0)
    expect(asked).toBeUndefined()
  })

  it('warns of a token that nothing limits, and of no limit that was given', async () => {
    const answers: Answers = {
      listProjects,
      createOrganizationToken: ({ expires_at = null, project_ids = null }) => ({
        ...{ ...TOKEN, expires_at, project_ids },
        token: 'brgo_Secret',
      }),
    }
    const unlimited = await run(answers, [...CREATE, '--expires-in', 'never'])
    expect(unlimited.stderr).toContain(
      'It never expires and can do all that a project manager can, in all projects.',
    )
    const bound = await run(answers, [...CREATE, '--expires-in', '90d', '--project', 'gate'])
    expect(bound.stderr).toContain('It can do all that a project manager can.')
    const limited = [...CREATE, '--expires-in', '90d', '--permission', 'project:list', '--project', 'gate']
    expect((await run(answers, limited)).stderr).not.toContain('It ')
  })

  it('creates nothing if the organization has no such project', async () => {
    const { code, stderr } = await run({ listProjects }, [...CREATE, '--project', 'shed'])
    expect(code).toBe(2)
    expect(stderr).toContain('no project "shed"')
  })

  it('deletes the token and fails if the server ignored the binding', async () => {
    const deleted: string[] = []
    const answers: Answers = {
      listProjects,
      createOrganizationToken: () => ({ ...TOKEN, token: 'brgo_Secret' }),
      deleteOrganizationToken: ({ organization_token_id }) => {
        if (organization_token_id !== TOKEN.id) throw new OperationError('organization_token_not_found', '')
        deleted.push(organization_token_id)
        return { ...TOKEN, state: 'deleted' }
      },
    }
    const { code, stdout, stderr } = await run(answers, [...CREATE, '--project', 'gate'])
    expect({ code, stdout, deleted }).toEqual({ code: 2, stdout: '', deleted: [TOKEN.id] })
    expect(stderr).toContain('cannot bind tokens to projects')
    expect(stderr).not.toContain('brgo_Secret')
  })
})
