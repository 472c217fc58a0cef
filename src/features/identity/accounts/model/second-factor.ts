import type { Tx } from '../../../../kernel/caller.ts'
import { hasFactor } from '../../factors/model/index.ts'
import type { SignInMethod } from '../../sign_ins/model/index.ts'
import type { Proof } from './signin.ts'

/** These prove one thing only. The others prove two, or were proved at another server. */
const SINGLE_FACTOR: readonly SignInMethod[] = ['password', 'email']

/** Whether the session of a person must wait for their second factor. */
export const needsSecondFactor = async (
  tx: Tx,
  { method, second_factor, actor_id }: Proof,
): Promise<boolean> =>
  SINGLE_FACTOR.includes(method) && !second_factor && (await hasFactor(tx, actor_id))
