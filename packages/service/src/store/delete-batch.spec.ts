import { expect, it } from '@jest/globals'
import { deleteBatch } from './delete-batch.js'

it('rows are found by one column as an array, and by several with a join that runs once', () => {
  expect(deleteBatch({ table: 'chunks', key: ['id'], where: 'at < $1', limit: 5 })).toBe(
    'DELETE FROM chunks AS gone WHERE id = ANY (ARRAY(SELECT id FROM chunks WHERE at < $1 LIMIT 5 FOR UPDATE SKIP LOCKED))',
  )
  expect(deleteBatch({ table: 'uses', key: ['a', 'b'], where: 'c', limit: '$2', orderBy: 'b' })).toBe(
    'WITH batch AS MATERIALIZED (SELECT a AS key_0, b AS key_1 FROM uses WHERE c ORDER BY b LIMIT $2 FOR UPDATE SKIP LOCKED) DELETE FROM uses AS gone USING batch WHERE a = key_0 AND b = key_1 AND (c)',
  )
})
