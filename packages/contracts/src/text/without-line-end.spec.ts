import { expect, it } from '@jest/globals'
import { withoutLineEnd } from './without-line-end.js'

it.each(['s3cret\n', 's3cret\r\n', '\ufeffs3cret', '\ufeffs3cret\r\n\n', 's3cret'])(
  'what editors, echo and Windows add to a secret is not a part of it: %j',
  (text) => {
    expect(withoutLineEnd(text)).toBe('s3cret')
  },
)

it('spaces at the ends of a password are a part of it', () => {
  expect(withoutLineEnd(' two words \n')).toBe(' two words ')
})
