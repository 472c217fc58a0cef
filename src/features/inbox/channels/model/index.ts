export { channelMessages } from './delivery-queue.ts'
export { queueChannels } from './queue.ts'
export { slackChannel } from './store.ts'
export { channelDeliveries, channels, notificationSettings } from './tables.ts'
