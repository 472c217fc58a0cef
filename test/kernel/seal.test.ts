import { expect, test } from 'bun:test'
import { SigningKey } from '../../src/features/identity/credentials/model/index.ts'
import { seal, unseal } from '../../src/kernel/seal.ts'

const keyOf = (byte: number) => new SigningKey(new Uint8Array(32).fill(byte))

test('a sealed secret is readable with the key of the same installation only', async () => {
  const server = keyOf(1)
  const sealed = await seal(server, 'glpat-1234')
  expect(sealed).not.toContain('glpat')
  expect(await unseal(server, sealed)).toBe('glpat-1234')
  expect(unseal(keyOf(2), sealed)).rejects.toThrow()
})

test('a secret that is sealed twice has two different texts', async () => {
  const server = keyOf(1)
  expect(await seal(server, 'same')).not.toBe(await seal(server, 'same'))
})
