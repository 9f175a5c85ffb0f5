import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'

export const findLatestRelease = operation({
  subject: 'management.v1.release.find-latest',
  summary: 'Ask for a newer release',
  description:
    'For devices that check for updates. Bearing serves no updates, so it answers 204, which clients read as "up to date".',
  input: z.object(ProjectScope),
  output: z.null(),
  errors: ['project_key_required'],
  permission: 'device-data:send',
  lenient: true,
})
