import { importProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { idOf, parsed } from '../ground/arguments.js'
import { UsageError } from '../ground/usage-error.js'
import { ID, operatorVerb } from '../session/verb.js'

const KEY = '0123456789abcdef0123456789abcdef'

operatorVerb('admin import-project-key', {
  about: 'replace the key of a project by one that devices have already; for operators, over NATS',
  takes: {
    '<organization id>': idOf('id of the organization', 'bearing organizations list', 'organization id'),
    '<project id>': idOf('id of the project', 'bearing projects list', 'project id'),
    '<key>': parsed('the key that the devices send: 32 of 0–9 and a–f', keyOf),
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

function keyOf(text: string): string {
  if (/^[0-9a-f]{32}$/.test(text)) return text
  throw new UsageError('A project key is 32 characters of 0–9 and a–f.')
}
