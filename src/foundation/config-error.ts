/** A setting with a value that it may not have. The message names the setting and what it may be, and tells no secret. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
