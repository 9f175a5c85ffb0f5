import { verb } from '../../session/verb.js'
import { exportItems, OUTPUT_FLAGS } from '../../session/write-lines.js'

verb('observations export', {
  about: 'export the observations that a project contributed, as geosubmit JSON lines',
  takes: OUTPUT_FLAGS,
  help: `Observations are written for as long as the organization keeps them, in the order in which they came, with what was learned from:
no copies of old readings and no names of devices or networks, which are not stored. Submitted again to the same
organization they change nothing; another one learns the same from them. The audit log records each export.`,
  examples: ['--output observations.jsonl'],
  run: async (cli, flags) => {
    const { client, organization, project } = await cli.session()
    const observations = client.stream('exportObservations', { organization, project })
    await exportItems(cli, flags, 'observation', observations)
  },
})
