import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { requireBrowser } from '../../sign_ins/model/index.ts'
import { allowsPasskeys, appOf, Factors, passkeysOf, recoveryCodesOf } from '../model/index.ts'
import { asPasskey } from './passkeys.ts'

export const list = operation({
  name: 'factors.list',
  summary: 'Your passkeys, authenticator app and recovery codes',
  needs: 'keys:read',
  dependsOn: ['passkey', 'authenticator_app', 'recovery_codes'],
  on: { rest: 'GET /api/v1/user/factors' },
  input: t.Object({}),
  output: Factors,
  async run(_, { tx, caller, server }) {
    requireBrowser(caller)
    const { actor_id } = caller
    const app = await appOf(tx, actor_id)
    const codes = await recoveryCodesOf(tx, actor_id)
    return {
      passkeys: (await passkeysOf(tx, actor_id)).map(asPasskey),
      authenticator_app: app?.confirmed_at
        ? {
            created_at: app.confirmed_at.toISOString(),
            last_used_at: app.last_used_at?.toISOString() ?? null,
          }
        : null,
      recovery_codes: codes
        ? { left: codes.left, created_at: codes.created_at.toISOString() }
        : null,
      passkeys_available: allowsPasskeys(server.url),
    }
  },
})
