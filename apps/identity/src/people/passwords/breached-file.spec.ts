import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { BreachedFile } from './breached-file.js'

describe('a list of breached passwords in a file', () => {
  const folder = folderForSuite()

  const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
  const listOf = async (passwords: readonly string[], end: string) => {
    const path = join(folder, `${String(passwords.length)}-${String(end.length)}`)
    const lines = passwords.map((password, index) => `${sha1(password)}:${String(index * 977)}${end}`)
    await writeFile(path, lines.sort().join(''))
    return path
  }

  it.each([
    [1, '\n'],
    [2, '\r\n'],
    [500, '\n'],
    [501, '\r\n'],
  ])('finds each of %i passwords, and no other', async (count, end) => {
    const passwords = Array.from({ length: count }, (_, index) => `password number ${String(index)}`)
    const file = await BreachedFile.open(await listOf(passwords, end))
    for (const password of passwords) expect([password, await file.has(password)]).toEqual([password, true])
    for (let other = count; other < count + 200; other++)
      expect(await file.has(`password number ${String(other)}`)).toBe(false)
  })

  it('says so where it is not there, or is something else', async () => {
    await expect(BreachedFile.open(join(folder, 'none'))).rejects.toThrow('ENOENT')
    const path = join(folder, 'words')
    await writeFile(path, 'password\nletmein\n')
    await expect(BreachedFile.open(path)).rejects.toThrow('without a SHA-1')
  })
})
