import { invalidInput } from '@bearing/contracts/errors'
import {
  MAX_COUNTED,
  MAX_PER_PAGE_WITH_ATTRIBUTES,
  listDevices,
} from '@bearing/contracts/management/devices/device'
import { DeviceFilter } from '@bearing/contracts/management/devices/device-selection'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { z } from 'zod'
import { Database } from '../../ground/database.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { readAttributes } from './attributes/read-attributes.js'
import { toDevice } from './device-row.js'
import { deviceCondition, withFixedTime } from './lists/device-condition.js'
import { listDigest, readCursor, writeCursor } from './lists/device-cursor.js'
import { deviceIndex } from './lists/device-index.js'
import { countDevices, readPage } from './lists/device-page.js'

const Filter = z.object(DeviceFilter)

@Controller()
export class ListDevices {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Reads one device more than the page has, to know whether there is a next page. */
  @Handle(listDevices)
  async execute(input: Input<typeof listDevices>): Promise<Output<typeof listDevices>> {
    const { project_id: projectId, sort, with: extra } = input
    const filter = Filter.parse(input)
    const index = deviceIndex(filter, sort)
    const isPlain = sort === undefined && Object.values(filter).every((value) => value === undefined)
    checkPage(input, isPlain)
    await requireProject(this.database, input)
    const list = listDigest(projectId, filter, sort)
    const after = input.cursor === undefined ? undefined : readCursor(list, input.cursor)
    const fixed = withFixedTime(filter, this.clock.now())
    const condition = await deviceCondition(this.database, projectId, fixed, index)
    const range = { after, skip: (input.page - 1) * input.per_page, take: input.per_page + 1 }
    const [counted, found] = await Promise.all([
      after?.total ?? countDevices(this.database, condition, index, isPlain ? undefined : MAX_COUNTED + 1),
      readPage(this.database, condition, index, range),
    ])
    const rows = found.slice(0, input.per_page)
    const last = rows.at(-1)
    const isCapped = !isPlain && counted > MAX_COUNTED
    const attributes = extra && (await readAttributes(this.database, projectId, rows))
    const listed = rows.map((row) => toDevice(row, attributes?.get(row.id)))
    const { data, paging } = page(listed, isCapped ? MAX_COUNTED : counted, input)
    return {
      data,
      paging: { ...paging, ...(isCapped && { total_is_minimum: true }) },
      next: found.length > rows.length && last ? writeCursor(list, { ...last, total: counted }) : null,
    }
  }
}

function checkPage(input: Input<typeof listDevices>, isPlain: boolean): void {
  if (input.with !== undefined && input.per_page > MAX_PER_PAGE_WITH_ATTRIBUTES)
    throw invalidInput('/per_page', `must be at most ${String(MAX_PER_PAGE_WITH_ATTRIBUTES)} with attributes`)
  if (input.cursor !== undefined && input.page > 1)
    throw invalidInput('/page', 'cannot be combined with cursor')
  if (!isPlain && input.page > 1 && input.page * input.per_page > MAX_COUNTED)
    throw invalidInput('/page', `reaches the first ${String(MAX_COUNTED)} devices: send cursor instead`)
}
