/** A database that must not be used as it is; `message` is whole sentences for people, and tells what to do. */
export class DatabaseRefusal extends Error {
  constructor(
    message: string,
    /** As Postgres names such a failure (SQLSTATE), for those who tell failures apart by code. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'DatabaseRefusal'
  }
}
