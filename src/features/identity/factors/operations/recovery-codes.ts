import { Type as t } from '@sinclair/typebox'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { requireRecentProof } from '../../sign_ins/model/index.ts'
import { hasFactor, newRecoveryCodes, replaceRecoveryCodes } from '../model/index.ts'

export const create = operation({
  name: 'recovery_codes.create',
  summary: 'Create ten recovery codes, shown only once; they replace earlier ones',
  needs: 'keys:manage',
  destroys: true,
  creates: true,
  on: { rest: 'POST /api/v1/user/recovery-codes' },
  input: t.Object({}),
  output: t.Object({ codes: t.Array(t.String(), { description: 'Each signs you in once' }) }),
  async run(_, { tx, caller, now, emit }) {
    await requireRecentProof(tx, caller, now)
    if (!(await hasFactor(tx, caller.actor_id)))
      throw fault.conflict(
        'Recovery codes replace a second factor, and you have none',
        {},
        'Add a passkey or an authenticator app first',
      )
    const codes = newRecoveryCodes()
    await replaceRecoveryCodes(tx, caller.actor_id, codes, now)
    emit('recovery_codes.created', {}, {})
    return { codes }
  },
})
