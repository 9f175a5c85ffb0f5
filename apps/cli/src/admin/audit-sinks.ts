import { createAuditSink } from '@bearing/contracts/management/operator-audit-sink'
import { idOf } from '../ground/arguments.js'
import { UsageError } from '../ground/usage-error.js'
import { ID, operatorVerb } from '../session/verb.js'
import { destinationFlags, destinationOf } from '../webhooks/destination.js'

const { '--source <source>': _, '--key-header <name>': __, ...FLAGS } = destinationFlags('kind of the sink')

operatorVerb('admin create-audit-sink', {
  about: 'send the audit log of all organizations to a sink; for operators, over NATS',
  takes: {
    '<organization id>': idOf(
      "id of the operator's organization",
      'bearing organizations list',
      'organization id',
    ),
    '<project id>': idOf('id of a project in it', 'bearing projects list', 'project id'),
    '<url>': 'URL of the receiver, or of server, bucket and prefix, or tls://host:port',
    '--description <text>': 'purpose',
    ...FLAGS,
  },
  help: `Sends all rows in the order in which they were stored, those of no organization too. The sink is a webhook of the project:
admins of its organization see, pause and delete it with "bearing webhooks", and cannot send it elsewhere.`,
  examples: [
    `${ID} ${ID} https://siem.example.com/bearing --to ndjson`,
    `${ID} ${ID} tls://siem.example.com:6514 --to syslog --format ocsf`,
  ],
  operation: createAuditSink,
  input: async ({ organizationId, projectId, url, description, ...flags }, cli) => {
    const source = flags.to === 'syslog' ? undefined : 'audit-log'
    const destination = await destinationOf(cli, { ...flags, source, keyHeader: undefined })
    if (!destination) throw new UsageError('Give --to as well.')
    return { organization_id: organizationId, project_id: projectId, url, description, destination }
  },
  done: 'Audit sink created.',
  show: { Secret: ({ secret }) => secret || undefined, Kind: 'kind', Address: 'url', Id: 'id' },
  after: ({ output }, { secret }) => {
    if (secret) output.notice('The secret is shown only once. Store it in a safe place.')
  },
})
