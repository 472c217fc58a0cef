import { openModel, runTurn } from '../ai/index.ts'
import { catalog } from '../catalog.ts'
import { startNative } from '../chat/native/index.ts'
import { hasPreviousData } from '../config/data-folder.ts'
import { aiOf } from '../config/index.ts'
import type { Server } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import type { AppOptions } from '../server/app.ts'
import { watchAbandonedImports } from '../transfer/import/abandoned.ts'
import {
  compactMinutely,
  startCodeHosts,
  startDeliveries,
  startMail,
  startRules,
  startTextSaver,
  startWorkers,
  sweepHourly,
  sweepMinutely,
} from '../workers/index.ts'
import { scheduleBackups } from './scheduled-backups.ts'

type Options = Pick<AppOptions, 'config' | 'store' | 'clock' | 'log'>

/** Starts what a server does beside answering requests. */
export function startBackgroundWork(options: Options, server: Server, dispatch: Dispatch) {
  const { config, store, clock, log } = options
  const isAlone = !config.databaseUrl
  const stopWorkers = startWorkers({ store, log })
  const cycle = config.webhookCycle
  const stopDeliveries = startDeliveries({ store, server, clock, log, cycle, isAlone })
  const stopMail = startMail({ store, server, clock, log })
  const stopCodeHosts = startCodeHosts({ store, server, clock, log, dispatch })
  const ai = openModel(aiOf(config))
  const nativeOptions = { store, clock, log, catalog, dispatch }
  const stopNative = startNative(
    { ...nativeOptions, runTurn: ai && ((turn) => runTurn(ai, turn)), price: config.aiPrice },
    { isAlone },
  )
  const stopRules = startRules({ ...nativeOptions, isAlone })
  const isPaused = () => hasPreviousData(config.data)
  const stopSweeps = sweepHourly({ store, files: server.files, log, isPaused })
  const stopMinutely = sweepMinutely({ store, clock, log })
  const stopTexts = startTextSaver({ store, dispatch, signals: server.signals, clock, log })
  const stopCompaction = compactMinutely({ store, log })
  const stopImports = watchAbandonedImports({ store, clock, log })
  const stopBackups = scheduleBackups({ config, clock, log })
  return {
    /** Stops webhooks, mail, code hosts, rules and the model. */
    stopOutgoing: () =>
      Promise.all([stopDeliveries(), stopMail(), stopNative(), stopCodeHosts(), stopRules()]),
    /** Stops everything. */
    async stop() {
      await stopTexts()
      await stopDeliveries()
      await stopNative()
      await stopRules()
      await stopMail()
      await stopCodeHosts()
      await stopSweeps()
      await stopMinutely()
      await stopCompaction()
      await stopImports()
      await stopBackups()
      await stopWorkers()
    },
  }
}
