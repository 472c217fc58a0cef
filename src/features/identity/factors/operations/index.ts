import * as app from './authenticator-app.ts'
import { list } from './factors.ts'
import * as passkeys from './passkeys.ts'
import { create as createRecoveryCodes } from './recovery-codes.ts'
import * as verification from './verification.ts'

export const operations = [
  list,
  passkeys.begin,
  passkeys.create,
  passkeys.rename,
  passkeys.remove,
  app.begin,
  app.confirm,
  app.remove,
  createRecoveryCodes,
  verification.begin,
  verification.verify,
] as const
