import { describe, expect, it } from '@jest/globals'
import { fitColumns, idsLast } from './fit-columns.js'

const NAME = { head: 'Name', width: 20 }
const TEXT = { head: 'Description', width: 60 }
const STATE = { head: 'State', width: 8 }
const ID = { head: 'Id', width: 36 }

describe('columns of a table', () => {
  it('keep their width if the terminal is wide enough', () => {
    expect(fitColumns([NAME, TEXT, STATE, ID], 130)).toEqual([20, 60, 8, 36])
  })

  it('cut long texts before one of them is left out', () => {
    expect(fitColumns([NAME, TEXT, STATE, ID], 90)).toEqual([20, 20, 8, 36])
  })

  it('are left out from the last to the first, but never the name or the id', () => {
    expect(fitColumns([NAME, TEXT, STATE, ID], 80)).toEqual([20, 20, 0, 36])
    expect(fitColumns([NAME, TEXT, STATE, ID], 60)).toEqual([20, 0, 0, 36])
  })

  it('are the name alone if nothing else fits', () => {
    expect(fitColumns([NAME, TEXT, STATE, ID], 30)).toEqual([20, 0, 0, 0])
  })

  it('fill at most the terminal', () => {
    for (let room = 20; room < 140; room++) {
      const shown = fitColumns([NAME, TEXT, STATE, ID], room).filter((width) => width > 0)
      expect(shown.reduce((sum, width) => sum + width + 2, -2)).toBeLessThanOrEqual(room)
    }
  })

  it('have the ids last', () => {
    expect(idsLast([['Id'], ['Name'], ['Paid']])).toEqual([['Name'], ['Paid'], ['Id']])
  })
})
