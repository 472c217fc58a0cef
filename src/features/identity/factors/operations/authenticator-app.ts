import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { people } from '../../people/model/index.ts'
import { requireBrowser, requireRecentProof } from '../../sign_ins/model/index.ts'
import {
  appOf,
  Code,
  confirmApp,
  deleteApp,
  newSecret,
  periodOf,
  storeSecret,
} from '../model/index.ts'

const APP = '/api/v1/user/authenticator-app'

export const begin = operation({
  name: 'authenticator_app.begin',
  summary: 'Get a secret for your authenticator app; confirm it with a code',
  needs: 'keys:manage',
  on: { rest: `POST ${APP}` },
  input: t.Object({}),
  output: t.Object({
    secret: t.String({ description: 'To type into the app, base32' }),
    url: t.String({ description: 'An otpauth address that opens the app' }),
    qr_svg: t.String({ description: 'The address as a QR code, an SVG image' }),
  }),
  async prepare(_, { caller, server, read }) {
    requireBrowser(caller)
    const isCaller = eq(people.actor_id, caller.actor_id)
    const [person] = await read((tx) => tx.select().from(people).where(isCaller))
    return newSecret(server, person!.email)
  },
  async run(_, { tx, caller, now, server }, secret) {
    await requireRecentProof(tx, caller, now)
    await storeSecret(tx, server, { actor_id: caller.actor_id, secret: secret.secret }, now)
    return secret
  },
})

export const confirm = operation({
  name: 'authenticator_app.confirm',
  summary: 'Turn on your authenticator app with the first code it shows',
  needs: 'keys:manage',
  on: { rest: `POST ${APP}/confirm` },
  input: t.Object({ code: Code }),
  output: t.Object({ confirmed: t.Boolean() }),
  async prepare({ code }, { caller, server, read, now }) {
    requireBrowser(caller)
    const app = await read((tx) => appOf(tx, caller.actor_id))
    if (!app || app.confirmed_at) throw nothingToConfirm()
    const period = await periodOf(server, app, code.replace(/\s/g, ''), now)
    if (period !== undefined) return { app, period }
    throw fault.invalid(
      'code',
      'conflict',
      'This is not the code that the app shows now',
      undefined,
      'Codes change every 30 seconds. Check that the clock of the phone is right',
    )
  },
  async run(_, { tx, caller, now, emit }, { app, period }) {
    await requireRecentProof(tx, caller, now)
    if (!(await confirmApp(tx, app, period, now))) throw nothingToConfirm()
    emit('authenticator_app.created', {}, {})
    return { confirmed: true }
  },
})

const nothingToConfirm = () =>
  fault.conflict('There is no authenticator app to confirm', {}, 'Begin to set it up again')

export const remove = operation({
  name: 'authenticator_app.delete',
  summary: 'Remove your authenticator app; its codes no longer work',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${APP}` },
  input: t.Object({}),
  output: t.Object({ deleted: t.Boolean() }),
  async run(_, { tx, caller, now, emit }) {
    await requireRecentProof(tx, caller, now)
    if (!(await deleteApp(tx, caller.actor_id)))
      throw fault.conflict('You have no authenticator app to remove')
    emit('authenticator_app.deleted', {}, {})
    return { deleted: true }
  },
})
