import { importProjectKey, listKeyImports } from '@bearing/contracts/identity/credentials/project-key'
import { idOf, parsed, projectKeyOf } from '../ground/arguments.js'
import { NATS_URL, ID, operatorVerb, verb } from '../session/verb.js'
import { withOperator } from '../session/with-operator.js'

const KEY = '0123456789abcdef0123456789abcdef'

operatorVerb('admin import-project-key', {
  about: 'replace the key of a project by one that devices have already; for operators, over NATS',
  takes: {
    '<organization id>': idOf('id of the organization', 'bearing organizations list', 'organization id'),
    '<project id>': idOf('id of the project', 'bearing projects list', 'project id'),
    '<key>': parsed('the key that the devices send: 32 of 0–9 and a–f', projectKeyOf),
  },
  examples: [`${ID} ${ID} ${KEY}`],
  operation: importProjectKey,
  input: ({ organizationId, projectId, key }) => ({
    organization_id: organizationId,
    project_id: projectId,
    api_key: key,
  }),
  done: 'Project key imported. Devices that have it can send now.',
  show: { 'Project key': 'api_key' },
})

verb('admin list-key-imports', {
  about: 'list the keys that admins want their projects to have; for operators, over NATS',
  takes: NATS_URL,
  help: 'Import one with "bearing admin import-project-key": anyone who extracts a key from a device knows it, so ask first whose it is.',
  run: async (cli, { natsUrl }) => {
    const { imports } = await withOperator(cli, natsUrl, (operator) => operator.call(listKeyImports, {}))
    cli.output.table(
      imports,
      {
        ...{ Organization: 'organization_id', Project: 'project_id', Key: 'api_key', Network: 'network' },
        ...{ Requested: 'requested_at', Expires: 'expires_at' },
      },
      'No key is requested.',
    )
  },
})
