import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import type { StackAddresses } from './addresses.js'
import { readNamedStack, type StackName } from './named-stacks.js'
import { startStack, type Stack, type StackOptions } from './stack.js'

/** Functions that end what is open, the last opened last. */
const open: (() => unknown)[] = []

/**
 * Opens something before the tests of the suite in which it is called, in the order of the calls, and ends it after them, in the other
 * order: with `end`, or its `[Symbol.asyncDispose]`, `close` or `stop`.
 *
 * ```ts
 * const stack = forSuite(() => startStack())
 * const organization = forSuite(() => newOrganization(stack))
 * ```
 *
 * @returns what stands for it: hooks and tests use it like what was opened; before them it has nothing
 */
export function forSuite<Opened extends object>(
  start: () => Opened | Promise<Opened>,
  end: (opened: Opened) => unknown = dispose,
): Opened extends readonly unknown[] | ((...input: never) => unknown) ? never : Opened {
  let opened: Opened | undefined
  const known = () => {
    if (!opened) throw new Error('It is opened before the tests of its suite, and not open yet.')
    return opened
  }
  const endIt = () => opened && end(opened)
  beforeAll(async () => {
    opened = await start()
    open.push(endIt)
  })
  endAfterTests(endIt)
  const standIn = new Proxy({} as Opened, {
    get: (_, key) => {
      const value: unknown = Reflect.get(known(), key)
      return typeof value === 'function' ? (value.bind(known()) as unknown) : value
    },
    set: (_, key, value) => Reflect.set(known(), key, value),
    has: (_, key) => Reflect.has(known(), key),
    ownKeys: () => Reflect.ownKeys(known()),
    getOwnPropertyDescriptor: (_, key) => {
      const property = Reflect.getOwnPropertyDescriptor(known(), key)
      return property && { ...property, configurable: true }
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(known()),
  })
  return standIn as ReturnType<typeof forSuite<Opened>>
}

function endAfterTests(end: () => unknown): void {
  afterAll(async () => {
    while (open.includes(end)) await open.pop()?.()
  })
}

type Closable = Partial<AsyncDisposable> & { readonly close?: () => unknown; readonly stop?: () => unknown }

async function dispose(opened: Closable): Promise<void> {
  if (opened[Symbol.asyncDispose]) await opened[Symbol.asyncDispose]?.()
  else if (opened.close) await opened.close()
  else await opened.stop?.()
}

/** Starts a stack of its own for the suite in which it is called: see {@link startStack}. */
export function stackForSuite(options?: StackOptions): Stack {
  return forSuite(() => startStack(options))
}

/** Returns the stack of this name, which other suites use at the same time: see `named-stacks.ts`. */
export function namedStack(name: StackName): StackAddresses {
  return forSuite(() => readNamedStack(name))
}

/** Returns a new temporary folder for the suite in which it is called. */
export function folderForSuite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bearing-spec-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  open.push(remove)
  endAfterTests(remove)
  return folder
}
