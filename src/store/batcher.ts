interface Waiting<In, Out> {
  input: In
  resolve(output: Out): void
  reject(error: unknown): void
}

/**
 * Batches inputs: those that arrive while a batch runs form the next one. So the number of statements
 * does not grow with the load.
 */
export class Batcher<In, Out> {
  private waiting: Waiting<In, Out>[] = []
  private running: Promise<void> | undefined

  /** `run` returns the outputs in the order of the inputs. */
  constructor(private readonly run: (inputs: readonly In[]) => Promise<readonly Out[]>) {}

  add(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject })
      this.running ??= this.drain()
    })
  }

  /** Resolves once no job is running. */
  async close() {
    await this.running
  }

  private async drain() {
    while (this.waiting.length) {
      const batch = this.waiting
      this.waiting = []
      try {
        const outputs = await this.run(batch.map(({ input }) => input))
        for (const [index, { resolve }] of batch.entries()) resolve(outputs[index]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.running = undefined
  }
}
