// A linear or logarithmic scale from values to positions along an axis, with its ticks.
class Scale {
  constructor(axis, values, from, to) {
    Object.assign(this, { axis, from, to, values, log: axis.log });
    this.reset();
  }
  // Show the whole range, with a little room at either end.
  reset() {
    const there = this.values.filter((v) => v !== null && (!this.log || v > 0)).map((v) => this.at(v));
    let low = there.length ? there.reduce((a, b) => Math.min(a, b)) : 0;
    let high = there.length ? there.reduce((a, b) => Math.max(a, b)) : 1;
    if (high - low < 1e-12 * Math.max(1, Math.abs(high))) {
      const around = this.log ? 0.5 : Math.abs(high) / 2 || 1;
      [low, high] = [low - around, high + around];
    }
    // Axes of values that are never negative begin at 0, so that lengths can be compared.
    const whole = !this.log && !this.tight && low >= 0;
    const room = this.tight ? 0 : 0.04 * (high - (whole ? 0 : low));
    this.low = whole ? 0 : low - room;
    this.high = high + room;
  }
  at(value) { return this.log ? Math.log10(value) : value; }
  value(at) { return this.log ? 10 ** at : at; }
  // The position of a value in the units of the picture; null if it has none.
  place(value) {
    if (value === null || (this.log && !(value > 0))) return null;
    return this.from + ((this.at(value) - this.low) / (this.high - this.low)) * (this.to - this.from);
  }
  back(place) { return this.low + ((place - this.from) / (this.to - this.from)) * (this.high - this.low); }
  show(from, to) { [this.low, this.high] = from < to ? [from, to] : [to, from]; }
  zoom(factor, around = (this.low + this.high) / 2) {
    this.show(around + (this.low - around) * factor, around + (this.high - around) * factor);
  }
  shift(share) {
    const by = share * (this.high - this.low);
    this.show(this.low + by, this.high + by);
  }
  ticks(most) {
    if (this.own) {  // cells have their ticks in the middle
      const inside = this.own.filter((v) => this.at(v) >= this.low && this.at(v) <= this.high);
      const step = Math.max(1, Math.ceil(inside.length / most));
      return inside.filter((_, i) => i % step === 0);
    }
    if (this.log) {
      const multiplied = this.multiplied(most);
      if (multiplied.length > 1) return multiplied;
    }
    const low = this.value(this.low), high = this.value(this.high);
    return Scale.even(low, high, most, this.axis.unit).filter((tick) => !this.log || tick > 0);
  }
  // Ticks are powers of two for sizes and counts, else powers of ten.
  multiplied(most) {
    const base = ["bytes", "count"].includes(this.axis.unit) ? 2 : 10;
    const low = Math.floor(this.low / Math.log10(base));
    const high = Math.ceil(this.high / Math.log10(base));
    const step = Math.max(1, Math.ceil((high - low - 1) / most));
    const found = [];
    for (let power = Math.floor(low / step) * step; power <= high; power += step) {
      found.push(base ** power);
      if (base === 10 && high - low < 5) found.push(2 * 10 ** power, 5 * 10 ** power);
    }
    const room = 1e-9;
    return found.filter((tick) => this.at(tick) >= this.low - room && this.at(tick) <= this.high + room);
  }
  static even(low, high, most, unit) {
    const rough = (high - low) / Math.max(1, most - 1);
    const base = unit === "bytes" ? 2 : 10;
    let step = base ** Math.floor(Math.log(rough) / Math.log(base));
    for (const factor of base === 2 ? [1, 2, 4] : [1, 2, 5, 10]) {
      if (factor * step >= rough) { step *= factor; break; }
    }
    if (unit === "count" && high - low > 4) step = Math.max(1, step);
    const found = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) found.push(n * step);
    return found;
  }
}
