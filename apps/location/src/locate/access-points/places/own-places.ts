import { COVERAGE_SAMPLE } from '@bearing/contracts/location/access-points/coverage'
import type { BoundingBox } from '@bearing/contracts/location/positions/latest-position'
import { Injectable } from '@nestjs/common'
import { Pools } from '../../../ground/database.js'
import { readRows, type Columns, type RowOf, type Statement } from '../../../ground/read-rows.js'
import { sampleSql } from './coverage-sql.js'

/** Access points that are counted one by one, about; of more a sample is. */
const MOST_COUNTED = 200_000

/** Reads where access points of an organization are. */
@Injectable()
export class OwnPlaces {
  constructor(private readonly pools: Pools) {}

  /** Returns whether a box has so many that only a sample of them is read. */
  async areMany(organizationId: string, box: BoundingBox): Promise<boolean> {
    const most = Math.floor(MOST_COUNTED / COVERAGE_SAMPLE)
    const [found] = await this.read(sampleSql({ organizationId, box, isSampled: true }, most + 1))
    return (found?.count ?? 0) > most
  }

  read<Some extends Columns>(sql: Statement<Some> & { readonly values: unknown[] }): Promise<RowOf<Some>[]> {
    return readRows(this.pools.lookUp, sql, sql.values)
  }
}
