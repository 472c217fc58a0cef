import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  claimAccountEmail,
  composeAccountEmail,
  dueAccountEmails,
} from '../../../../src/features/identity/account_emails/model/index.ts'
import { switchOff } from '../../../../src/features/inbox/channels/model/store.ts'
import { channels } from '../../../../src/features/inbox/channels/model/tables.ts'
import { createServer } from '../../../../src/server/app.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { world } from '../../../support/world.ts'

test('the owner of a channel that is switched off gets one email, which says why', async () => {
  const w = await world()
  const { channel_id } = await w.ben['channels.create']({
    ...{ kind: 'ntfy', url: 'https://ntfy.sh', topic: 'ben', title: 'Phone' },
  })
  for (const error of ['It responded 404', 'It responded 410'])
    await w.store.write(async (tx) => {
      const [channel] = await tx.select().from(channels).where(eq(channels.channel_id, channel_id))
      await switchOff(tx, channel!, error, w.clock.now)
    })
  await waitForFollowers(w, 'channel-notices')
  const due = await w.store.read((tx) => dueAccountEmails(tx, w.clock.now))
  expect(due).toHaveLength(1)
  const claimed = await w.store.write((tx) => claimAccountEmail(tx, due[0]!, '', w.clock.now))
  const email = await composeAccountEmail(createServer(w), claimed!)
  expect(email).toMatchObject({
    to: { name: 'Ben' },
    subject: 'The channel Phone was switched off',
  })
  expect(email.text).toContain('It responded 404')
  expect(email.text).toContain('/settings/notifications')
})
