import { expect, test } from 'bun:test'
import { arePushKeys, encryptPush } from '../../../../src/features/inbox/channels/model/web-push.ts'

/** The example of RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  encrypted: [
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml',
    'mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT',
    'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  ].join(''),
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

test('a push message is encrypted as in the example of RFC 8291', async () => {
  const { text, keys, privateKey, salt, encrypted } = EXAMPLE
  const bytes = await encryptPush(text, keys, {
    privateKey: bytesOf(privateKey),
    salt: bytesOf(salt),
  })
  expect(Buffer.from(bytes).toString('base64url')).toBe(encrypted)
})

test('keys that are no point of the curve, or too short, are no keys of a subscription', () => {
  const { keys } = EXAMPLE
  expect(arePushKeys(keys)).toBe(true)
  expect(arePushKeys({ ...keys, auth: 'BTBZMqHH6r4' })).toBe(false)
  expect(arePushKeys({ ...keys, p256dh: keys.p256dh.slice(0, 80) })).toBe(false)
  expect(arePushKeys({ ...keys, p256dh: `${keys.p256dh.slice(0, -4)}AAAA` })).toBe(false)
})
