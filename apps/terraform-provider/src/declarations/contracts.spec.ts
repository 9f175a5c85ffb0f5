import { describe, expect, it } from '@jest/globals'
import { attributesOf, contractFields, shownFields } from '../schema/attributes.js'
import { RESOURCES } from './resources.js'

describe.each(RESOURCES.map((resource) => [resource.name, resource] as const))(
  'bearing_%s',
  (_, resource) => {
    const attributes = attributesOf(resource)
    const left = Object.keys(resource.without)

    it('has each field of its contracts as an attribute, or a reason why not', () => {
      const covered = contractFields(resource).filter((name) => attributes.has(name) !== left.includes(name))
      expect(covered).toEqual(contractFields(resource))
      expect(left.filter((name) => !contractFields(resource).includes(name))).toEqual([])
    })

    it('has names of attributes that exist', () => {
      const { secrets = [], json = [], defaults = {}, reset = {}, shownOtherwise = [] } = resource
      const named = [...secrets, ...json, ...Object.keys(defaults), ...Object.keys(reset), ...shownOtherwise]
      expect(named.filter((name) => !attributes.has(name))).toEqual([])
      const by = 'list' in resource.read ? resource.read.by : []
      expect(by.filter((name) => !shownFields(resource).has(name) && !shownOtherwise.includes(name))).toEqual(
        [],
      )
    })

    it('has no secret in the state', () => {
      const secret = /^(?!encrypted_).*(?:secret|password|token|\bkey)$/
      const stored = [...attributes.values()].filter(
        ({ name, isWriteOnly }) => secret.test(name) && !isWriteOnly,
      )
      expect(stored.map(({ name }) => name)).toEqual([])
    })
  },
)
