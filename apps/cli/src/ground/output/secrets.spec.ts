import { expect, it } from '@jest/globals'
import { Secrets } from './secrets.js'

it('a secret is hidden in every form it is sent in', () => {
  const secrets = new Secrets()
  secrets.add('pä ss:word', 'a@b.example')
  const basic = Buffer.from('a@b.example:pä ss:word').toString('base64')
  for (const form of ['pä ss:word', encodeURIComponent('pä ss:word'), basic])
    expect(secrets.hide(`<${form}>`)).toBe('<[hidden]>')
})

it('a secret that is part of another leaves nothing of it', () => {
  const secrets = new Secrets()
  secrets.add('abcd')
  secrets.add('abcdefgh')
  expect(secrets.hide('abcdefgh')).toBe('[hidden]')
})

it('a token of Bearing is hidden even where nobody said that it is one', () => {
  expect(new Secrets().hide(`GET /projects/brgo_${'Ab1'.repeat(20)}?x`)).toBe('GET /projects/brgo_[hidden]?x')
})

it('passwords in URLs are hidden, as they stand there and decoded', () => {
  const secrets = new Secrets()
  secrets.addUrls('nats://one:p%40ssword@a:4222,nats://two:other@b')
  expect(secrets.hide('p%40ssword p@ssword other')).toBe('[hidden] [hidden] [hidden]')
})
