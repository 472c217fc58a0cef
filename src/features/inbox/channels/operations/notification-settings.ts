import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { NotificationSettings, SettingsChanges } from '../model/schema.ts'
import { changeSettings, publicKey, showSettings } from '../model/settings.ts'

const ROUTE = '/api/v1/user/notification-settings'

export const getSettings = operation({
  name: 'notification_settings.get',
  summary: 'Your quiet hours, your levels per board, and the events of channels',
  needs: 'profile:read',
  dependsOn: ['notification_settings', 'profile'],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'notifications settings', example: '' } },
  input: t.Object({}),
  output: NotificationSettings,
  prepare: (_, { server }) => publicKey(server),
  run: (_, ctx, key) => showSettings(ctx, key),
})

export const updateSettings = operation({
  name: 'notification_settings.update',
  summary: 'Change your quiet hours, or what your channels get of single boards',
  needs: 'profile:write',
  on: {
    rest: `PATCH ${ROUTE}`,
    cli: {
      usage: 'notifications set',
      example: '--quiet-from 22:00 --quiet-to 07:00',
    },
  },
  input: SettingsChanges,
  output: NotificationSettings,
  prepare: (_, { server }) => publicKey(server),
  async run(input, ctx, key) {
    const fields = Object.keys(input)
    if (fields.length) {
      await changeSettings(ctx, input)
      ctx.emit('notification_settings.updated', {}, { fields })
    }
    return showSettings(ctx, key)
  },
})
